import { createHash } from 'node:crypto'
import { EXIT, PayError, interruptedBy } from '../errors.ts'
import { sendAll } from './attempts.ts'
import { paymentIdOf, requestOf } from './call.ts'
import type { Answer, Call, CallOperation, Client, ClientOptions } from './call.ts'
import { answerOrThrow } from './outcome.ts'
import { read, readPayment, tryReadPayment } from './read.ts'
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
    target: targetOf(call),
    amount: call.amount,
    currencyCode: call.currencyCode,
    idempotencyKey,
  })
  const answer = await attempted(options, call, request, snapshot, intent.id, idempotencyKey).catch(
    async (thrown: unknown) => {
      const error = asPayError(thrown, operation.id)
      const state = error.details.outcome === 'none' ? 'rejected' : 'in-doubt'
      // A record that cannot be written stays open, which is the safe side: what became of the call is told first.
      await intent.settle(state, error.exitCode).catch(() => undefined)
      throw error
    },
  )
  try {
    await intent.settle('confirmed', answer.exitCode)
    return answer
  } catch (error) {
    const words = `The service has answered, but that could not be recorded: ${wordsOf(error)}`
    return { ...answer, note: answer.note === undefined ? words : `${answer.note} ${words}` }
  }
}

async function attempted(
  options: ClientOptions,
  call: Call,
  request: WireRequest,
  snapshot: Answer | undefined,
  operationId: string,
  idempotencyKey: string | undefined,
): Promise<Answer> {
  const ended = await sendAll(options, call, request, recoveryFor(options, call, snapshot))
  const answer = answerOrThrow(call, ended, operationId, idempotencyKey)
  if (answer.exitCode !== EXIT.notFinished) return answer
  // "Not finished" comes as an error envelope: the payment itself is what the caller wants to see.
  const payment = await tryReadPayment(options, paymentIdOf(call))
  return payment === undefined ? answer : { ...answer, text: payment.text, json: payment.json }
}

/** The resource in the path. A token stays secret: its hash tells two of them apart as well. */
function targetOf({ params }: Call): string | undefined {
  const token = params['paymentMethodToken']
  return token === undefined
    ? Object.values(params)[0]
    : `sha256:${createHash('sha256').update(token).digest('hex')}`
}

/** A fault of ours in the middle of a write: nobody can tell whether the request left. */
function asPayError(thrown: unknown, operation: string): PayError {
  // One that does not say what became of the request was made for another place.
  if (thrown instanceof PayError && thrown.details.outcome !== undefined) return thrown
  return new PayError('internal', EXIT.internal, `Unexpected error: ${wordsOf(thrown)}`, {
    operation,
    outcome: 'unknown',
    cause: thrown,
  })
}

const wordsOf = (thrown: unknown): string => (thrown instanceof Error ? thrown.message : String(thrown))

const isReadFirst = (operation: CallOperation): boolean =>
  operation.replay === 'compare' || operation.replay === 'look'
