import { AlreadyDoneError, DuplicateError } from '../../errors.ts'
import type { Answer, Call } from '../../calls/call.ts'
import { confirmRepeat } from './confirm.ts'
import type { CommandRun } from '../command/spec.ts'

/**
 * Calls, unless the same was done a few minutes ago: then a person is asked, and a script on a live profile is refused.
 * `--yes` is no answer to that; `--again` is. What a used ticket was used for is shown.
 * `confirmed` is the equal write that the person has said yes to already: another one is asked about.
 */
export async function callOnce(
  invocation: CommandRun,
  call: Call,
  confirmed: DuplicateError | undefined,
): Promise<Answer> {
  const { settings, isInteractive } = invocation
  const { mode } = await invocation.account()
  const mayRepeat = settings.saysAgain || (mode.value === 'test' && !isInteractive)
  try {
    return await invocation.call({ ...call, mayRepeat })
  } catch (error) {
    if (error instanceof AlreadyDoneError) {
      const { showTicketPayment } = await import('./show-ticket-payment.ts')
      await showTicketPayment(invocation, error.paymentId)
    }
    if (!(error instanceof DuplicateError) || !isInteractive) throw error
    if (error.details.operationId !== confirmed?.details.operationId)
      await confirmRepeat(invocation, error, undefined)
    return invocation.call({ ...call, mayRepeat: true })
  }
}
