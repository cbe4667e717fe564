import { isRecord } from '../../json/is-record.ts'
import { stringifyJson } from '../../json/json.ts'
import { problemResponse, successResponse } from '../answers/response.ts'
import type { ServiceResponse } from '../answers/response.ts'
import { showPayment } from '../answers/payment-view.ts'
import type { TransactionContext } from '../database/transactions.ts'
import type { UsedKey } from '../database/store.ts'
import { Problem } from '../problem.ts'
import type { AdmittedRequest, RequestedOperation, CheckedRequest } from './check-request.ts'
import { isWrite } from './check-request.ts'
import { isVersion21OrLater } from '../../api/versions.ts'

/** How a used idempotency key is answered: with a refusal that names the payment, or with the first response again. */
export type IdempotencyStyle = 'reject' | 'replay'

export interface ProcessedRequest {
  readonly response: ServiceResponse
  readonly errorId?: string
  /** The payment that the response is about, if it names one. */
  readonly paymentId?: string | undefined
  /** Whether the request changed anything. */
  readonly isApplied: boolean
}

/** Runs a request, or refuses it. A refusal changes no data; it only counts as a failure of the payment. */
export function processRequest(
  checked: CheckedRequest,
  context: TransactionContext,
  idempotency: IdempotencyStyle,
): ProcessedRequest {
  const { admitted, requestId, routed } = checked
  try {
    if (admitted instanceof Problem) throw admitted
    const { result, isReplay } = context.attempt(() => runOnce(admitted, context, idempotency))
    const response = successResponse(stringifyJson(showInVersion(admitted.version, result)), requestId)
    const paymentId = paymentIn(result, admitted.operation)
    return isReplay
      ? { response: markReplayed(response), paymentId, isApplied: false }
      : { response, paymentId, isApplied: isWrite(checked) }
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    if (!(admitted instanceof Problem)) countFailure(admitted, error, context)
    const response = problemResponse(error, requestId, routed?.operation)
    const { errorId, details } = error
    return { response, errorId, paymentId: details.payment?.paymentId, isApplied: false }
  }
}

/** Runs a request at most once per idempotency key. */
function runOnce(admitted: AdmittedRequest, context: TransactionContext, idempotency: IdempotencyStyle) {
  const { operation, idempotencyKey: key } = admitted
  if (key === undefined) return { result: admitted.run(context), isReplay: false }
  const { idempotencyKeys } = context.store
  const used = idempotencyKeys.find(key)
  if (used !== undefined) {
    const replay = idempotency === 'replay' ? replayOf(used, admitted, context) : undefined
    if (replay === undefined) throw keyAlreadyUsed(used, admitted, context)
    return { result: replay, isReplay: true }
  }
  const result = admitted.run(context)
  idempotencyKeys.insert(key, {
    operation: operation.id,
    paymentId: idOf(result),
    requestHash: admitted.requestHash(),
  })
  return { result, isReplay: false }
}

/** The first response again if this is the same call; undefined if another call used the key. */
const replayOf = (
  { payment, requestHash }: UsedKey,
  admitted: AdmittedRequest,
  context: TransactionContext,
): unknown =>
  payment === undefined ||
  requestHash !== admitted.requestHash() ||
  (admitted.clientSession !== undefined && payment.sessionIdHash !== admitted.clientSession.idHash)
    ? undefined
    : showPayment(payment, context)

/** The refusal of a used key. A declined call was processed, so it has used its key; a refused call hasn't. */
function keyAlreadyUsed(
  { paymentId }: UsedKey,
  { clientSession }: AdmittedRequest,
  { store }: TransactionContext,
): Problem {
  const payment = store.payments.find(paymentId)
  const description = 'An earlier call has used this idempotency key.'
  // Don't tell one session about the payments of another.
  if (clientSession !== undefined && payment?.sessionIdHash !== clientSession.idHash)
    return new Problem('IdempotencyKeyAlreadyExists', description, {
      recoverySuggestion: 'Use another key.',
    })
  return new Problem('IdempotencyKeyAlreadyExists', description, {
    payment: { paymentId, paymentStatus: payment?.status ?? 'PENDING' },
    recoverySuggestion: 'Read the payment: it shows what the earlier call did.',
  })
}

const markReplayed = (response: ServiceResponse): ServiceResponse => ({
  ...response,
  headers: { ...response.headers, 'idempotent-replayed': 'true' },
})

/** The payment or record that a create returns; other operations name it in their path. */
function paymentIn(result: unknown, { creates, ownId, echoes }: RequestedOperation): string | undefined {
  if ((creates !== 'payment' && creates !== 'record') || !isRecord(result)) return undefined
  const id = result[ownId ?? echoes ?? '']
  return typeof id === 'string' ? id : undefined
}

const idOf = (result: unknown): string =>
  isRecord(result) && typeof result['id'] === 'string' ? result['id'] : ''

function countFailure(
  { operation, params }: AdmittedRequest,
  { errorId }: Problem,
  { store }: TransactionContext,
): void {
  if (operation.countsRefusals && errorId !== 'IdempotencyKeyAlreadyExists')
    store.payments.countFailure(params['id'] ?? '')
}

/**
 * A response body as a version shows it. Before 2.1, a payment names its vaulted token instead of `isVaulted`, and there is no
 * `isVerified`.
 */
function showInVersion(version: string, body: unknown): unknown {
  if (isVersion21OrLater(version) || !isRecord(body)) return body
  const { data, paymentMethod, isVerified } = body
  if (Array.isArray(data)) return { ...body, data: data.map((entry) => showInVersion(version, entry)) }
  if (typeof isVerified === 'boolean') return withoutVerification(body)
  if (!isRecord(paymentMethod) || !('isVaulted' in paymentMethod)) return body
  return { ...body, paymentMethod: Object.fromEntries(olderMethod(paymentMethod)) }
}

function withoutVerification({ isVerified: _, ...method }: Readonly<Record<string, unknown>>): unknown {
  return method
}

function olderMethod(method: Readonly<Record<string, unknown>>): readonly (readonly [string, unknown])[] {
  return Object.entries(method).flatMap(([name, value]) => {
    if (name !== 'isVaulted') return [[name, value]] as const
    return value === true ? ([['vaultedPaymentMethodToken', method['paymentMethodToken']]] as const) : []
  })
}
