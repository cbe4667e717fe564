import { hasKnownField } from '../../api/unknown-fields.ts'
import { PayError } from '../../errors.ts'
import { sendAll } from './attempts.ts'
import { requestOf } from './client-port.ts'
import type { Answer, Call } from './call.ts'
import type { ClientOptions } from './client-port.ts'
import { answerOrThrow } from './outcome.ts'
import { isRecord } from '../../json/is-record.ts'

/**
 * Sends a read, which can be repeated freely and is never in doubt.
 * @throws {PayError} if the service refuses it or gives no usable response
 */
export async function read(client: ClientOptions, call: Call): Promise<Answer> {
  const options = { ...client, ...call.patience }
  const request = requestOf(options, call, call.idempotencyKey)
  const ended = await sendAll(options, call, request, { inDoubt: false })
  return answerOrThrow(call, ended, undefined, undefined)
}

/**
 * Reads a payment; undefined if `id` is undefined.
 * @throws {PayError} if the payment doesn't exist or can't be read
 */
export async function readPayment(
  options: ClientOptions,
  id: string | undefined,
): Promise<Answer | undefined> {
  if (id === undefined) return undefined
  // Loaded on demand, with its schemas: most calls read no payment.
  const { getPayment } = await import('../../api/operations/payment.ts')
  return read(options, { operation: getPayment, params: { id } })
}

/** The payment; `none` when the service says that it doesn't exist, undefined when it can't be read. */
export async function lookUpPayment(
  options: ClientOptions,
  id: string | undefined,
): Promise<Answer | 'none' | undefined> {
  try {
    const answer = await readPayment(options, id)
    return answer !== undefined && (await isPayment(answer)) ? answer : undefined
  } catch (error) {
    if (!(error instanceof PayError)) throw error
    return error.code === 'payment_not_found' ? 'none' : undefined
  }
}

/** The payment, or undefined when it can't be read. */
export async function tryReadPayment(
  options: ClientOptions,
  id: string | undefined,
): Promise<Answer | undefined> {
  const found = await lookUpPayment(options, id)
  return found === 'none' ? undefined : found
}

/** Whether the response is about a payment: decisions about money must not rest on a proxy's response. */
export async function isPayment({ json }: Answer): Promise<boolean> {
  const { getPayment } = await import('../../api/operations/payment.ts')
  return isRecord(json) && hasKnownField(getPayment.response, json)
}
