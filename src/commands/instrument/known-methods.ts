import { instrumentList } from '../../api/models/instrument.ts'
import type { Instrument } from '../../api/models/instrument.ts'
import { listInstruments } from '../../api/operations/instrument.ts'
import { parseResponse } from '../../api/parse-response.ts'
import type { Invocation } from '../../cli/command/invocation.ts'
import { withoutNulls } from '../../cli/command/nulls.ts'
import { PayError, isInterruption } from '../../errors.ts'

/** What this run of a command has learned of saved methods: a single one cannot be read, only those of a customer. */
const known = new WeakMap<Invocation, readonly Instrument[]>()

/** The methods of a customer; none where the key may not list them or nothing is to be asked. */
export async function learnMethods(
  invocation: Invocation,
  customerId: string,
): Promise<readonly Instrument[]> {
  const before = known.get(invocation)
  if (before !== undefined) return before
  const methods = await list(invocation, customerId)
  known.set(invocation, methods)
  return methods
}

export const knownMethods = (invocation: Invocation): readonly Instrument[] => known.get(invocation) ?? []

async function list(invocation: Invocation, customerId: string): Promise<readonly Instrument[]> {
  if (invocation.settings.mode !== 'send') return []
  try {
    const query = { customer_id: customerId }
    const answer = await invocation.call({ operation: listInstruments, params: {}, query })
    const methods = parseResponse(instrumentList, withoutNulls(answer.json))?.data ?? []
    // An answer may leave out what was asked by.
    return methods.map((method) => ({ customerId, ...method }))
  } catch (error) {
    if (!(error instanceof PayError) || isInterruption(error)) throw error
    return []
  }
}
