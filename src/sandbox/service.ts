import { stringifyJson } from '../json/json.ts'
import { refusal, success } from './answer.ts'
import type { ServiceAnswer } from './answer.ts'
import { virtualNow } from './clock.ts'
import type { Database } from './database.ts'
import { admit, findOperation } from './gate.ts'
import type { Admitted, Routed, ServiceRequest } from './gate.ts'
import type { Identifiers } from './identifiers.ts'
import { Problem } from './problem.ts'
import { settleDuePayments } from './settle.ts'
import { isRecord } from './store/document.ts'
import type { Store } from './store/store.ts'
import type { World } from './world.ts'

export interface ServiceParts {
  readonly database: Database
  readonly store: Store
  readonly ids: Identifiers
  /** The machine's clock. */
  readonly now: () => Date
  /** What a used idempotency key is answered with. */
  readonly idempotency: 'reject'
}

/** One request, one transaction: several processes can serve one folder. */
export function serve(parts: ServiceParts, request: ServiceRequest): ServiceAnswer {
  const requestId = parts.ids.uuid()
  let routed: Routed | undefined
  try {
    routed = findOperation(request)
    return success(perform(parts, admit(routed, request)), requestId)
  } catch (error) {
    if (error instanceof Problem) return refusal(error, requestId, routed?.operation)
    throw error
  }
}

function perform(parts: ServiceParts, admitted: Admitted): string {
  const done = parts.database.transaction(() => {
    const world: World = {
      store: parts.store,
      ids: parts.ids,
      now: virtualNow(parts.store.settings, parts.now),
    }
    settleDuePayments(world)
    return attempt(parts.database, admitted, world)
  })
  if (done instanceof Problem) throw done
  return done
}

/** A refusal writes nothing but that it happened: returned, not thrown, so that the transaction around it commits. */
function attempt(database: Database, admitted: Admitted, world: World): string | Problem {
  const { operation, params, idempotencyKey: key } = admitted
  try {
    return database.attempt(() => {
      if (key !== undefined) refuseUsedKey(key, world)
      const result = admitted.run(world)
      if (key !== undefined)
        world.store.idempotencyKeys.insert(key, { operation: operation.id, paymentId: idOf(result) })
      return stringifyJson(result)
    })
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    if (COUNTED.has(operation.id) && error.errorId !== 'IdempotencyKeyAlreadyExists')
      world.store.payments.countFailure(params['id'] ?? '')
    return error
  }
}

/** Operations of which a payment takes a hundred refused calls, and no more calls after that. */
const COUNTED: ReadonlySet<string> = new Set([
  'payment.capture',
  'payment.cancel',
  'payment.refund',
  'payment.adjust',
])

/** A decline has used its key: the call was processed. A refused call has not. */
function refuseUsedKey(key: string, { store }: World): void {
  const used = store.idempotencyKeys.find(key)
  if (used === undefined) return
  const payment = store.payments.find(used.paymentId)
  throw new Problem(
    'IdempotencyKeyAlreadyExists',
    'The idempotency key was used by a call that was processed.',
    {
      payment: { paymentId: used.paymentId, paymentStatus: payment?.status ?? 'PENDING' },
      recoverySuggestion: 'Read the payment: it shows what the earlier call did.',
    },
  )
}

const idOf = (result: unknown): string =>
  isRecord(result) && typeof result['id'] === 'string' ? result['id'] : ''
