import { getPayment } from '../../api/operations/payment.ts'
import type { CallOperation } from '../../client/calls/call.ts'
import { EXIT, PayError } from '../../errors.ts'
import { lastWords } from '../../files/shell.ts'
import { fieldAt, numberAt, textAt } from '../../json/fields.ts'
import { formatMoney } from '../../money/format.ts'
import { accountFlagsOf } from '../command/flag-words.ts'
import type { CommandRun } from '../command/spec.ts'

/**
 * Refuses a capture if more was captured while a person was asked: a colleague may have made the same one. Refunds are checked right
 * before they are sent on a live profile; a cancellation or an adjustment can't be done twice.
 */
export async function refuseCapturedMeanwhile(
  run: CommandRun,
  { id: operation }: CallOperation,
  shown: unknown,
): Promise<void> {
  const [id, before] = [textAt(shown, 'id'), capturedIn(shown)]
  if (id === undefined || before === undefined) return
  const { json } = await run.call({ operation: getPayment, params: { id } })
  const captured = capturedIn(json)
  if (captured === undefined || captured <= before) return
  const more = formatMoney(captured - before, textAt(json, 'currencyCode'))
  throw new PayError(
    'captured_meanwhile',
    EXIT.conflict,
    `Nothing was sent: ${more} was captured before you answered`,
    {
      operation,
      outcome: 'none',
      retryable: false,
      hint: 'A colleague may have made this capture. Ask them, then run the command again to see what is left.',
      next: [`pay${accountFlagsOf(run)} payment explain ${lastWords(id)}`],
    },
  )
}

const capturedIn = (payment: unknown): number | undefined =>
  numberAt(fieldAt(payment, ['processor']), 'amountCaptured')
