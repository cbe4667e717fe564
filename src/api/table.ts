import type { Operation } from './operation.ts'
import {
  deleteInstrument,
  listInstruments,
  setDefaultInstrument,
  vaultInstrument,
} from './operations/instrument.ts'
import { createLoyaltyTransaction } from './operations/loyalty.ts'
import {
  createExternalPayment,
  getPaymentRecord,
  listPaymentRecords,
  updateExternalPayment,
} from './operations/observability.ts'
import {
  adjustAuthorization,
  authorizePayment,
  cancelPayment,
  capturePayment,
  createPayment,
  getPayment,
  listPayments,
  refundPayment,
  resumePayment,
} from './operations/payment.ts'
import { routerOf } from './router.ts'
import { createSession, getSession, updateSession } from './operations/session.ts'

/** Every operation of the service (spec 4), in the order of the spec. */
export const OPERATIONS = [
  createSession,
  updateSession,
  getSession,
  createPayment,
  getPayment,
  listPayments,
  authorizePayment,
  capturePayment,
  refundPayment,
  adjustAuthorization,
  resumePayment,
  cancelPayment,
  createExternalPayment,
  updateExternalPayment,
  getPaymentRecord,
  listPaymentRecords,
  createLoyaltyTransaction,
  listInstruments,
  setDefaultInstrument,
  deleteInstrument,
  vaultInstrument,
] as const satisfies readonly Operation[]

/** Routes of version 1 that later versions removed (spec 9.3). */
export const RETIRED_ROUTES = [
  { method: 'POST', path: '/auth/client-token', replacedBy: 'POST /client-session' },
] as const

export type OperationId = (typeof OPERATIONS)[number]['id']

export interface RouteMatch {
  readonly operation: (typeof OPERATIONS)[number]
  /** Decoded path parameters. */
  readonly params: Readonly<Record<string, string>>
}

const findRow = routerOf(OPERATIONS)

/** The operation for a method and path, and all methods of the path. */
export function findRoute(
  method: string,
  path: string,
): { readonly match: RouteMatch | undefined; readonly allowed: readonly string[] } {
  const { match, allowed } = findRow(method, path)
  return { match: match === undefined ? undefined : { operation: match.row, params: match.params }, allowed }
}
