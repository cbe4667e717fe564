import type { Answer } from '../../client/calls/call.ts'
import { stringifyJson } from '../../json/json.ts'
import { redactBody } from '../../output/redact.ts'
import { safeJson } from '../../output/safe-text.ts'
import type { CommandRun } from '../command/spec.ts'
import { showRaw } from '../command/result.ts'
import { isMachine } from '../command/settings.ts'

/** Shows the payment that a ticket was used for, without tokens. On stderr, because it is not the result of this run. */
export async function showTicketPayment(
  invocation: CommandRun,
  paymentId: string | undefined,
): Promise<void> {
  const payment = paymentId === undefined ? undefined : await readPayment(invocation, paymentId)
  if (payment === undefined) return
  invocation.target.id ??= paymentId
  const json = redactBody(payment.json, 'keep-ids')
  const isForMachines = isMachine(invocation.settings.format)
  if (!isForMachines) await invocation.note('\nThe ticket was used for:')
  const text = isForMachines
    ? safeJson(stringifyJson(json))
    : await (invocation.spec.present ?? showRaw)({ text: stringifyJson(json, 2), json }).render({
        format: 'table',
        query: undefined,
        options: { ...(await invocation.renderOptions()), paint: await invocation.paint('stderr') },
      })
  await invocation.warn(text.replace(/\n$/, ''), 'ids')
}

/** Undefined if it cannot be read: the error about the ticket is reported anyway. */
async function readPayment(invocation: CommandRun, id: string): Promise<Answer | undefined> {
  const { getPayment } = await import('../../api/operations/payment.ts')
  const answer = await invocation.call({ operation: getPayment, params: { id } }).catch(() => undefined)
  return typeof answer?.json === 'object' ? answer : undefined
}
