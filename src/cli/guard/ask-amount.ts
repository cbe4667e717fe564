import { checkLimits } from '../../config/limits.ts'
import { EXIT, LimitError, PayError } from '../../errors.ts'
import type { CallOperation } from '../../calls/call.ts'
import { formatMoney } from '../../money/format.ts'
import { parseAmount } from '../../money/parse.ts'
import { amountQuestion, readAmount } from '../request/amount-question.ts'
import type { AmountFacts } from '../request/amount-question.ts'
import type { Draft } from '../command/draft.ts'
import { fieldAt, setField } from '../request/field-path.ts'
import { findRepeat } from './foresee-repeat.ts'
import type { CommandRun } from '../command/spec.ts'
import type { PaymentReader } from './payment-reader.ts'
import { showPreview } from './show-preview.ts'

/** A person at a terminal and the money of a payment: refusals first, then the facts, then the question. */

/** An open write keeps the payment to itself, whatever the amount would be; a used ticket too. */
export async function refuseOpenIntent(
  invocation: CommandRun,
  operation: CallOperation,
  { params }: Draft,
): Promise<void> {
  const { ticket, idempotencyKey } = invocation.settings
  await findRepeat(invocation, { operation, params, ticket, idempotencyKey, mayRepeat: true })
}

/** What was typed, what is asked for, or the whole of it: the figure that is shown is the figure that is sent. */
export async function askAmount(
  invocation: CommandRun,
  operation: CallOperation,
  draft: Draft,
  reader: PaymentReader,
): Promise<number | undefined> {
  const { money } = invocation.spec
  if (money === undefined) return undefined
  const payment = await readForPreview(invocation, reader)
  const paid = fieldAt(payment, ['currencyCode'])
  const currencyCode = typeof paid === 'string' ? paid : undefined
  const typed = typedAmount(draft, currencyCode)
  const refusal = money.refusal(payment, typed.amountMinor)
  if (refusal !== undefined) throw refusal
  const limitRefusal = await limitsOf(invocation, operation, currencyCode)
  const beyond = limitRefusal(typed.amountMinor)
  if (beyond !== undefined) throw beyond
  await showPreview(
    invocation,
    typed.amountMinor === undefined
      ? draft
      : { ...draft, body: setField(draft.body, ['amount'], typed.amountMinor, '--amount') },
    reader,
    'facts',
  )
  if (typed.isGiven) return typed.amountMinor
  const whole = money.whole(payment)
  if (money.asksAmount === 'never' || (invocation.settings.saysYes && money.asksAmount === 'or all'))
    return whole
  const isTotal = money.asksAmount === 'always'
  const facts: AmountFacts = {
    label: isTotal ? 'New amount' : 'Amount',
    hint: isTotal ? undefined : allWords(whole, currencyCode),
    currencyCode,
    isOfPayment: true,
    allowZero: false,
    whole: isTotal ? undefined : { amountMinor: whole },
    refusal: (amountMinor) => limitRefusal(amountMinor)?.message,
  }
  return readAmount(facts, await (await invocation.prompts()).text(amountQuestion(facts)))
}

interface TypedAmount {
  /** Whether anything was typed: what is sent unchecked may be no amount. */
  readonly isGiven: boolean
  readonly amountMinor: number | undefined
}

/** A bare decimal means something once the payment's currency is known. */
function typedAmount(draft: Draft, currencyCode: string | undefined): TypedAmount {
  const given = fieldAt(draft.body, ['amount'])
  if (given !== undefined)
    return { isGiven: true, amountMinor: typeof given === 'number' ? given : undefined }
  const text = draft.money?.text
  if (text === undefined) return { isGiven: false, amountMinor: undefined }
  const { amountMinor } = parseAmount(text, { what: '--amount', currencyCode, allowZero: false })
  return { isGiven: true, amountMinor }
}

/** What the profile's limits say to an amount; to none, whether they forbid the whole operation. */
async function limitsOf(
  invocation: CommandRun,
  operation: CallOperation,
  currencyCode: string | undefined,
): Promise<(amountMinor: number | undefined) => LimitError | undefined> {
  const { limits, profile } = await invocation.account()
  return (amountMinor) => {
    try {
      checkLimits(limits, profile?.value ?? '', {
        operationId: operation.id,
        risk: operation.risk,
        formatMoney,
        amount: { amountMinor, currencyCode },
      })
      return undefined
    } catch (error) {
      if (error instanceof LimitError) return error
      throw error
    }
  }
}

/** A preview does without figures that cannot be read, but a payment that is not there ends it. */
async function readForPreview(invocation: CommandRun, reader: PaymentReader): Promise<unknown> {
  try {
    return await reader.read()
  } catch (error) {
    const goesOn: readonly number[] = [EXIT.serverFault, EXIT.rateLimited, EXIT.auth, EXIT.rejected]
    if (!(error instanceof PayError) || !goesOn.includes(error.exitCode)) throw error
    await invocation.warn(`The payment could not be read (${error.message}); its figures are unknown.`)
    return undefined
  }
}

const allWords = (whole: number | undefined, currencyCode: string | undefined): string =>
  whole === undefined ? 'empty: all of it' : `empty: all of it, ${formatMoney(whole, currencyCode)}`
