import { FACTS } from './facts.ts'
import type { OperationId } from './facts.ts'
import * as instrument from './operations/instrument.ts'
import * as loyalty from './operations/loyalty.ts'
import * as observability from './operations/observability.ts'
import * as payment from './operations/payment.ts'
import { routerOf } from './router.ts'
import * as session from './operations/session.ts'

const ROWS = [
  ...Object.values(session),
  ...Object.values(payment),
  ...Object.values(observability),
  ...Object.values(loyalty),
  ...Object.values(instrument),
]
type Row = (typeof ROWS)[number]

const ORDER = Object.keys(FACTS)

/** Every operation of the service (spec 4), in the order of the spec. One that is missing doesn't compile. */
export const OPERATIONS: OperationId extends Row['id'] ? readonly Row[] : never = ROWS.toSorted(
  (one, other) => ORDER.indexOf(one.id) - ORDER.indexOf(other.id),
)

/** Routes of version 1 that later versions removed (spec 9.3). */
export const RETIRED_ROUTES = [
  { method: 'POST', path: '/auth/client-token', replacedBy: 'POST /client-session' },
] as const

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
