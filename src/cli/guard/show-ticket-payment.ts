import type { Answer } from '../../calls/call.ts'
import { stringifyJson } from '../../json/json.ts'
import { redactBody } from '../../output/redact.ts'
import { safeJson } from '../../output/safe-text.ts'
import type { CommandRun } from '../command/spec.ts'
import { showRaw } from '../command/result.ts'
import { isMachine } from '../command/settings.ts'

/** The payment that a ticket was used for, on stderr: it is not the result of this call. A token in it stays hidden. */
export async function showTicketPayment(
  invocation: CommandRun,
  paymentId: string | undefined,
): Promise<void> {
  const payment = paymentId === undefined ? undefined : await readPayment(invocation, paymentId)
  if (payment === undefined) return
  invocation.target.id ??= paymentId
  const json = redactBody(payment.json, 'kept')
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

/** The error is told whether or not it can be read. */
async function readPayment(invocation: CommandRun, id: string): Promise<Answer | undefined> {
  const { getPayment } = await import('../../api/operations/payment.ts')
  const answer = await invocation.call({ operation: getPayment, params: { id } }).catch(() => undefined)
  return typeof answer?.json === 'object' ? answer : undefined
}
