import { EXIT, PayError, interruptedBy } from '../errors.ts'
import { sendAll } from './attempts.ts'
import { paymentIdOf, requestOf } from './call.ts'
import type { Answer, Call, CallOperation, Client, ClientOptions } from './call.ts'
import { answerOrThrow } from './outcome.ts'
import { read, readPayment } from './read.ts'
import { recoveryFor } from './recover.ts'
import type { WireRequest } from './transport-port.ts'

/** The pipeline that every call takes: built once, recorded, sent, settled. */
export function createClient(options: ClientOptions): Client {
  return { call: (call) => (call.operation.risk === 'read' ? read(options, call) : write(options, call)) }
}

/** A write: what is read first, the intent, the attempts, the outcome; in this order, always. */
async function write(options: ClientOptions, call: Call): Promise<Answer> {
  const { operation } = call
  const idempotencyKey = operation.idempotencyKey ? (call.idempotencyKey ?? options.newId()) : undefined
  const request = requestOf(options, call, idempotencyKey)
  const snapshot = isReadFirst(operation) ? await readPayment(options, paymentIdOf(call)) : undefined
  if (options.interruption.stop.aborted) throw interruptedBy(options.interruption.stop)
  const intent = await options.ledger.begin({
    operation: operation.id,
    target: call.target ?? paymentIdOf(call) ?? Object.values(call.params)[0],
    amount: call.amount,
    currencyCode: call.currencyCode,
    idempotencyKey,
  })
  const answer = await attempted(options, call, request, snapshot?.text, intent.id, idempotencyKey).catch(
    async (thrown: unknown) => {
      const error = asPayError(thrown, operation.id)
      await intent.settle(error.details.outcome === 'none' ? 'rejected' : 'in-doubt', error.exitCode)
      throw error
    },
  )
  await intent.settle('confirmed', answer.exitCode)
  return answer
}

async function attempted(
  options: ClientOptions,
  call: Call,
  request: WireRequest,
  snapshot: string | undefined,
  operationId: string,
  idempotencyKey: string | undefined,
): Promise<Answer> {
  const ended = await sendAll(options, call, request, recoveryFor(options, call, snapshot))
  return answerOrThrow(call, ended, operationId, idempotencyKey)
}

/** A fault of ours in the middle of a write: nobody can tell whether the request left. */
function asPayError(thrown: unknown, operation: string): PayError {
  if (thrown instanceof PayError) return thrown
  const message = thrown instanceof Error ? thrown.message : String(thrown)
  return new PayError('internal', EXIT.internal, `Unexpected error: ${message}`, {
    operation,
    outcome: 'unknown',
    cause: thrown,
  })
}

const isReadFirst = (operation: CallOperation): boolean =>
  operation.replay === 'compare' || operation.replay === 'look'
