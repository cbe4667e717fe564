import type { Operation } from './operation.ts'
import {
  deleteInstrument,
  listInstruments,
  setDefaultInstrument,
  vaultInstrument,
} from './operations/instrument.ts'
import { createLoyaltyTransaction } from './operations/loyalty.ts'
import { createExternalPayment, updateExternalPayment } from './operations/observability.ts'
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
  createLoyaltyTransaction,
  listInstruments,
  setDefaultInstrument,
  deleteInstrument,
  vaultInstrument,
] as const satisfies readonly Operation[]

/** What version 1 had and no version since (spec 9.3). */
export const RETIRED_ROUTES = [
  { method: 'POST', path: '/auth/client-token', replacedBy: 'POST /client-session' },
] as const

export type OperationId = (typeof OPERATIONS)[number]['id']

export interface RouteMatch {
  readonly operation: (typeof OPERATIONS)[number]
  /** Decoded path parameters. */
  readonly params: Readonly<Record<string, string>>
}

/** The methods that a path knows, and the operation for one of them. A trailing slash is ignored. Segments that cannot be decoded match nothing. */
export function findRoute(
  method: string,
  path: string,
): { readonly match: RouteMatch | undefined; readonly allowed: readonly string[] } {
  const segments = path.replace(/\/$/, '').split('/')
  const allowed = new Set<string>()
  let match: RouteMatch | undefined
  for (const operation of OPERATIONS) {
    const params = matchPath(operation.path, segments)
    if (params === undefined) continue
    allowed.add(operation.method)
    if (operation.method === method) match ??= { operation, params }
  }
  return { match, allowed: [...allowed] }
}

function matchPath(template: string, segments: readonly string[]): Record<string, string> | undefined {
  const parts = template.split('/')
  if (parts.length !== segments.length) return undefined
  const params: Record<string, string> = {}
  for (const [index, part] of parts.entries()) {
    const segment = segments[index] ?? ''
    if (!part.startsWith('{')) {
      if (part !== segment) return undefined
      continue
    }
    const decoded = decode(segment)
    if (decoded === undefined || decoded === '') return undefined
    params[part.slice(1, -1)] = decoded
  }
  return params
}

function decode(segment: string): string | undefined {
  try {
    return decodeURIComponent(segment)
  } catch {
    return undefined
  }
}
