import { hasKnownField } from '../api/unknown-fields.ts'
import { PayError } from '../errors.ts'
import { sendAll } from './attempts.ts'
import { requestOf } from './call.ts'
import type { Answer, Call, ClientOptions } from './call.ts'
import { answerOrThrow } from './outcome.ts'
import { isRecord } from '../is-record.ts'

/** A read: repeated freely, and never in doubt. */
export async function read(client: ClientOptions, call: Call): Promise<Answer> {
  const options = { ...client, ...call.patience }
  const request = requestOf(options, call, undefined)
  const ended = await sendAll(options, call, request, {
    inDoubt: false,
    isOurs: async () => true,
    doneBefore: async (last) => ({ kind: 'unknown', last }),
    lookAgain: async (last) => ({ kind: 'unknown', last }),
  })
  return answerOrThrow(call, ended, undefined, undefined)
}

export async function readPayment(
  options: ClientOptions,
  id: string | undefined,
): Promise<Answer | undefined> {
  if (id === undefined) return undefined
  // Loaded when needed, with its schemas: most calls read no payment.
  const { getPayment } = await import('../api/operations/payment.ts')
  return read(options, { operation: getPayment, params: { id } })
}

/** The payment; `none` where the service says that there is no such payment, undefined where it cannot be read. */
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

/** The payment, or undefined where it cannot be read. */
export async function tryReadPayment(
  options: ClientOptions,
  id: string | undefined,
): Promise<Answer | undefined> {
  const found = await lookUpPayment(options, id)
  return found === 'none' ? undefined : found
}

/** Whether it says anything of a payment: what decides over money is no word of a proxy. */
export async function isPayment({ json }: Answer): Promise<boolean> {
  const { getPayment } = await import('../api/operations/payment.ts')
  return isRecord(json) && hasKnownField(getPayment.response, json)
}
