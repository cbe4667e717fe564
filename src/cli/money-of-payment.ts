import { EXIT, PayError, UsageError, isInterruption } from '../errors.ts'
import { formatMoney } from '../money/format.ts'
import { parseAmount } from '../money/parse.ts'
import type { Draft } from './draft.ts'
import { fieldAt } from './field-path.ts'
import type { Invocation } from './invocation.ts'
import type { PaymentReader } from './payment-reader.ts'

/** What hangs on the payment itself: its currency, and on a terminal the amount that is left. */

export async function refuseOtherCurrency(written: string, reader: PaymentReader): Promise<void> {
  let payment: unknown
  try {
    payment = await reader.read()
  } catch (error) {
    if (!(error instanceof PayError) || isInterruption(error)) throw error
    throw new UsageError(
      `The payment's currency could not be read, so ${written} could not be checked: ${error.message}`,
      {
        ...error.details,
        code: 'currency_unchecked',
        outcome: 'none',
        hint: 'A bare integer in minor units, without a currency, is sent unchecked.',
        cause: error,
      },
    )
  }
  const currencyCode = fieldAt(payment, ['currencyCode'])
  if (currencyCode === written) return
  const message =
    typeof currencyCode === 'string'
      ? `The payment is in ${currencyCode}, not in ${written}`
      : `The payment does not tell its currency, so ${written} could not be checked`
  throw new UsageError(message, {
    code: typeof currencyCode === 'string' ? 'currency_conflict' : 'currency_unchecked',
    outcome: 'none',
  })
}

/** A preview does without figures that cannot be read, but a payment that is not there ends it. */
export async function readForPreview(invocation: Invocation, reader: PaymentReader): Promise<unknown> {
  try {
    return await reader.read()
  } catch (error) {
    const goesOn: readonly number[] = [EXIT.serverFault, EXIT.rateLimited, EXIT.auth, EXIT.rejected]
    if (!(error instanceof PayError) || !goesOn.includes(error.exitCode)) throw error
    await invocation.warn(`The payment could not be read (${error.message}); its figures are unknown.`)
    return undefined
  }
}

/** What is typed, asked for, or the whole of it: on a terminal the figure that is shown is the figure that is sent. */
export async function interactiveAmount(
  invocation: Invocation,
  draft: Draft,
  payment: unknown,
): Promise<number | undefined> {
  const { money } = invocation.spec
  const given = fieldAt(draft.body, ['amount'])
  if (money === undefined || given !== undefined) return undefined
  const paid = fieldAt(payment, ['currencyCode'])
  const currencyCode = typeof paid === 'string' ? paid : undefined
  if (draft.money?.text !== undefined)
    return parseAmount(draft.money.text, { what: '--amount', currencyCode, allowZero: false }).amountMinor
  const whole = money.whole(payment)
  if (money.asksAmount === 'never' || (invocation.settings.saysYes && money.asksAmount === 'or all'))
    return whole
  const facts = {
    label: money.asksAmount === 'always' ? 'New amount' : 'Amount',
    hint: money.asksAmount === 'always' ? undefined : allWords(whole, currencyCode),
    currencyCode,
    isOfPayment: true,
    allowZero: false,
    whole: money.asksAmount === 'always' ? undefined : { amountMinor: whole },
  }
  const { amountQuestion, readAmount } = await import('./amount-question.ts')
  return readAmount(facts, await invocation.ask(amountQuestion(facts)))
}

const allWords = (whole: number | undefined, currencyCode: string | undefined): string =>
  whole === undefined ? 'empty: all of it' : `empty: all of it, ${formatMoney(whole, currencyCode)}`
