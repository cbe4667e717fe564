import { stringifyJson } from '../json/json.ts'
import { refusal, success } from './answers/answer.ts'
import type { Reply } from './answers/answer.ts'
import { isWrite } from './arrival.ts'
import type { Arrival } from './arrival.ts'
import type { Admitted } from './admission.ts'
import { showPayment } from './answers/payment-view.ts'
import { Problem } from './problem.ts'
import type { UsedKey } from './database/store/idempotency-keys.ts'
import { inVersion } from './request/versions.ts'
import type { TransactionWorld } from './domain/world.ts'
import { isRecord } from '../is-record.ts'

/** What a used idempotency key is answered with: a refusal that names the payment, or the first answer again. */
export type IdempotencyStyle = 'reject' | 'replay'

/** What came of processing a request. */
export interface Done {
  readonly reply: Reply
  readonly errorId?: string
  /** Whether it changed anything. */
  readonly isApplied: boolean
}

/** Does what a request asks, or refuses it. A refusal writes nothing but that it happened. */
export function perform(arrival: Arrival, world: TransactionWorld, idempotency: IdempotencyStyle): Done {
  const { admitted, requestId, routed } = arrival
  try {
    if (admitted instanceof Problem) throw admitted
    const { result, isReplay } = world.attempt(() => runOnce(admitted, world, idempotency))
    const reply = success(stringifyJson(inVersion(admitted.version, result)), requestId)
    return isReplay ? { reply: asReplay(reply), isApplied: false } : { reply, isApplied: isWrite(arrival) }
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    if (!(admitted instanceof Problem)) countFailure(admitted, error, world)
    return { reply: refusal(error, requestId, routed?.operation), errorId: error.errorId, isApplied: false }
  }
}

/** Once per idempotency key, where there is one. */
function runOnce(admitted: Admitted, world: TransactionWorld, idempotency: IdempotencyStyle) {
  const { operation, idempotencyKey: key } = admitted
  if (key === undefined) return { result: admitted.run(world), isReplay: false }
  const { idempotencyKeys } = world.store
  const used = idempotencyKeys.find(key)
  if (used !== undefined) {
    const replay = idempotency === 'replay' ? replayOf(used, admitted, world) : undefined
    if (replay === undefined) throw refuseUsedKey(used, world)
    return { result: replay, isReplay: true }
  }
  const result = admitted.run(world)
  idempotencyKeys.insert(key, {
    operation: operation.id,
    paymentId: idOf(result),
    requestHash: admitted.requestHash(),
  })
  return { result, isReplay: false }
}

/** The first answer once more, for the same call; undefined for another one with that key. */
const replayOf = ({ payment, requestHash }: UsedKey, admitted: Admitted, world: TransactionWorld): unknown =>
  payment === undefined || requestHash !== admitted.requestHash() ? undefined : showPayment(payment, world)

/** A declined call was processed, so it has used its key; a refused call hasn't. */
const refuseUsedKey = ({ paymentId }: UsedKey, { store }: TransactionWorld): Problem =>
  new Problem('IdempotencyKeyAlreadyExists', 'The idempotency key was used by a call that was processed.', {
    payment: { paymentId, paymentStatus: store.payments.find(paymentId)?.status ?? 'PENDING' },
    recoverySuggestion: 'Read the payment: it shows what the earlier call did.',
  })

const asReplay = (reply: Reply): Reply => ({
  ...reply,
  headers: { ...reply.headers, 'idempotent-replayed': 'true' },
})

const idOf = (result: unknown): string =>
  isRecord(result) && typeof result['id'] === 'string' ? result['id'] : ''

/** Operations of which a payment takes a hundred refused calls, and no more calls after that. */
const COUNTED: ReadonlySet<string> = new Set([
  'payment.capture',
  'payment.cancel',
  'payment.refund',
  'payment.adjust',
])

function countFailure(
  { operation, params }: Admitted,
  { errorId }: Problem,
  { store }: TransactionWorld,
): void {
  if (COUNTED.has(operation.id) && errorId !== 'IdempotencyKeyAlreadyExists')
    store.payments.countFailure(params['id'] ?? '')
}
