import type { OperationFacts } from '../operation.ts'
import { INSTRUMENT_FACTS } from './instrument.ts'
import { LOYALTY_FACTS } from './loyalty.ts'
import { OBSERVABILITY_FACTS } from './observability.ts'
import { PAYMENT_FACTS } from './payment.ts'
import { SESSION_FACTS } from './session.ts'

/** The facts of every operation of the service (spec 4), in the order of the spec. */
export const FACTS = {
  ...SESSION_FACTS,
  ...PAYMENT_FACTS,
  ...OBSERVABILITY_FACTS,
  ...LOYALTY_FACTS,
  ...INSTRUMENT_FACTS,
} as const

export type OperationId = keyof typeof FACTS

/** Undefined for an id that only another version knows, and for calls of `pay api` to an unknown path. */
export const factsOf = (id: string): OperationFacts | undefined => BY_ID.get(id)

const BY_ID = new Map<string, OperationFacts>(Object.entries(FACTS))
