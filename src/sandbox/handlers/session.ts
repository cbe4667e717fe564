import { createSession, getSession, updateSession } from '../../api/operations/session.ts'
import { hasAmount } from '../../api/models/body-amounts.ts'
import type { PaymentMethodUpdate } from '../../api/models/payment-method.ts'
import { isVersion21OrLater } from '../../api/versions.ts'
import type { Session } from '../../api/models/session.ts'
import { findClientSession } from '../domain/checkout/checkout-access.ts'
import { writeClientToken } from '../domain/client-token.ts'
import { CLIENT_TOKEN_LIFETIME_MS } from '../domain/clock.ts'
import { toServiceDate } from '../domain/datetime.ts'
import { withBody, withQuery } from '../request/endpoint.ts'
import { firstFree } from '../domain/identifiers.ts'
import { orderAmount, orderOf, updatedOrder } from '../domain/order-amount.ts'
import { invalid, Problem } from '../problem.ts'
import { isThirdPartyDown } from '../domain/scenarios/scenarios.ts'
import type { StoredSession } from '../domain/stored.ts'
import type { SandboxContext } from '../domain/context.ts'

export const sessionCreate = withBody(createSession, ({ body }, context) => {
  const id = firstFree(context.ids.token, (taken) => context.store.sessions.find(taken) !== undefined)
  const expiresAtMs = context.now.getTime() + CLIENT_TOKEN_LIFETIME_MS
  const session: StoredSession = {
    orderId: body.orderId,
    currencyCode: body.currencyCode,
    amount: body.amount,
    order: orderOf(body),
    customerId: body.customerId,
    customer: body.customer,
    metadata: body.metadata,
    paymentMethod: body.paymentMethod,
    expiresAtMs,
  }
  const shown = showSession(session)
  context.store.sessions.save(id, session)
  return {
    clientToken: writeClientToken(context.store.settings.secret(), { id, expiresAtMs }),
    clientTokenExpirationDate: toServiceDate(new Date(expiresAtMs)),
    ...shown,
    warnings: warningsFor(shown),
  }
})

export const sessionUpdate = withBody(updateSession, ({ body, cleared, version }, context) => {
  const { id, session: before } = openSession(body.clientToken, context)
  const choose = <T>(field: string, given: T | undefined, kept: T | undefined) =>
    given ?? (cleared.has(field) ? undefined : kept)
  const session: StoredSession = {
    orderId: choose('orderId', body.orderId, before.orderId),
    currencyCode: choose('currencyCode', body.currencyCode, before.currencyCode),
    amount: choose('amount', body.amount, before.amount),
    order: updatedOrder(before.order, body, cleared),
    customerId: choose('customerId', body.customerId, before.customerId),
    customer: choose('customer', body.customer, before.customer),
    metadata: choose('metadata', body.metadata, before.metadata),
    paymentMethod: updatedMethod(before, body.paymentMethod, cleared),
    expiresAtMs: before.expiresAtMs,
  }
  const shown = showSession(session)
  if (isVersion21OrLater(version) && session.currencyCode === undefined && hasAmount(session))
    throw invalid([{ path: '$.currencyCode', description: 'is required with an amount' }])
  context.store.sessions.save(id, session)
  return shown
})

export const sessionGet = withQuery(getSession, (query, context) =>
  showSession(openSession(query.clientToken, context).session),
)

/** Updates the method. Its `options` can't be changed (spec 4.2.5), but cleared with everything else (spec 4.2.4). */
function updatedMethod(
  before: StoredSession,
  given: PaymentMethodUpdate | undefined,
  cleared: ReadonlySet<string>,
): StoredSession['paymentMethod'] {
  if (given === undefined) return cleared.has('paymentMethod') ? undefined : before.paymentMethod
  const options = before.paymentMethod?.options
  const { options: _, ...after } = given
  return options === undefined ? after : { ...after, options }
}

function openSession(clientToken: string, context: SandboxContext) {
  const found = findClientSession(clientToken, context)
  if (found === undefined) throw new Problem('ClientSessionValidationError', 'The client token is unknown.')
  if (found.isExpired) {
    throw new Problem('ClientSessionValidationError', 'The client token has expired.', {
      recoverySuggestion: 'Create another client session: a client token expires after 24 hours.',
    })
  }
  return found
}

function showSession({ expiresAtMs: _, order, amount, ...rest }: StoredSession): Session {
  return {
    orderId: rest.orderId,
    currencyCode: rest.currencyCode,
    amount: amount ?? orderAmount(order),
    order,
    customerId: rest.customerId,
    customer: rest.customer,
    metadata: rest.metadata,
    paymentMethod: rest.paymentMethod,
  }
}

/** The warning in the response of a create: the first one that applies (spec 2.6). */
function warningsFor(session: Session): Session['warnings'] {
  if (isThirdPartyDown(session.metadata))
    return { type: 'PROCESSOR_UNAVAILABLE', code: 'THIRD_PARTY_UNAVAILABLE' }
  const missing = MISSING.find(([, isMissing]) => isMissing(session))
  return missing === undefined ? undefined : { type: missing[0], code: 'MISSING_DATA' }
}

const MISSING: readonly (readonly [type: string, isMissing: (session: Session) => boolean])[] = [
  ['MISSING_CURRENCY_CODE', ({ currencyCode }) => currencyCode === undefined],
  ['MISSING_ORDER_ID', ({ orderId = '' }) => orderId === ''],
  ['MISSING_AMOUNT', ({ amount }) => amount === undefined],
  [
    'MISSING_CUSTOMER_ID',
    ({ customerId = '', paymentMethod }) => customerId === '' && paymentMethod?.vaultOnSuccess === true,
  ],
]
