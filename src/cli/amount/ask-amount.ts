import { describeLedger } from '../../client/config/ledger-choice.ts'
import type { CallOperation } from '../../client/calls/call.ts'
import { EXIT, PayError } from '../../errors.ts'
import { formatMoney } from '../../money/format.ts'
import { parseAmount } from '../../money/parse.ts'
import { readAmount } from '../../money/read-amount.ts'
import type { AmountFacts } from '../../money/read-amount.ts'
import type { Draft } from '../command/draft.ts'
import type { Preview } from '../command/money-spec.ts'
import type { CommandRun } from '../command/spec.ts'
import { setField } from '../parse/field-path.ts'
import type { PaymentReader } from './figures.ts'
import { createLimitCheck } from './limits.ts'
import { askForAmount } from './question.ts'
import { fieldAt, numberAt } from '../../json/fields.ts'

/**
 * Returns the amount of a payment command on a terminal, in minor units: the typed amount, the answer to a question, or all
 * that is left; undefined if the service decides. First refuses what the service would refuse, then shows the payment, then
 * asks. The amount shown is always the amount sent.
 * @throws {PayError} if the payment's state or a limit of the profile forbids the call
 */
export async function askAmount(
  run: CommandRun,
  operation: CallOperation,
  draft: Draft,
  reader: PaymentReader,
): Promise<SettledAnswer> {
  const { money } = run.spec
  if (money === undefined) return { amountMinor: undefined, isAsked: false }
  const payment = await readForPreview(run, reader)
  const paymentCurrency = fieldAt(payment, ['currencyCode'])
  const currencyCode = typeof paymentCurrency === 'string' ? paymentCurrency : undefined
  const typed = typedAmount(draft, currencyCode)
  const refusal = money.refusal(payment, typed.amountMinor)
  if (refusal !== undefined) throw refusal
  const checkLimit = await createLimitCheck(run, operation, currencyCode)
  const limitError = checkLimit(typed.amountMinor)
  if (limitError !== undefined) throw limitError
  await showPreview(
    run,
    typed.amountMinor === undefined
      ? draft
      : { ...draft, body: setField(draft.body, ['amount'], typed.amountMinor, '--amount') },
    reader,
    'facts',
  )
  if (typed.isGiven) return { amountMinor: typed.amountMinor, isAsked: false }
  const fullAmount = money.fullAmount(payment)
  if (money.asksAmount === 'never' || (run.settings.assumesYes && money.asksAmount === 'empty-means-all'))
    return { amountMinor: fullAmount, isAsked: false }
  const isTotal = money.asksAmount === 'always'
  const facts: AmountFacts = {
    label: isTotal ? 'New amount' : 'Amount',
    hint: isTotal ? undefined : describeEmptyAnswer(fullAmount, currencyCode),
    currencyCode,
    isOfPayment: true,
    allowZero: false,
    fullAmount: isTotal ? undefined : { amountMinor: fullAmount },
    refusal: (amountMinor) => checkLimit(amountMinor)?.message,
  }
  return { amountMinor: readAmount(facts, await askForAmount(run, facts)), isAsked: true }
}

interface SettledAnswer {
  readonly amountMinor: number | undefined
  readonly isAsked: boolean
}

interface TypedAmount {
  /** Whether an amount was typed. With --no-validate, it may not be a number. */
  readonly isGiven: boolean
  readonly amountMinor: number | undefined
}

/** The typed amount in minor units. A bare decimal takes the payment's currency. */
function typedAmount(draft: Draft, currencyCode: string | undefined): TypedAmount {
  const bodyAmount = fieldAt(draft.body, ['amount'])
  if (bodyAmount !== undefined)
    return { isGiven: true, amountMinor: typeof bodyAmount === 'number' ? bodyAmount : undefined }
  const text = draft.money?.text
  if (text === undefined) return { isGiven: false, amountMinor: undefined }
  const { amountMinor } = parseAmount(text, { what: '--amount', currencyCode, allowZero: false })
  return { isGiven: true, amountMinor }
}

/** Reads the payment. If the service can't return it, warns and continues without its amounts; if it doesn't exist, throws. */
async function readForPreview(run: CommandRun, reader: PaymentReader): Promise<unknown> {
  try {
    return await reader.read()
  } catch (error) {
    const toleratedExitCodes: readonly number[] = [
      EXIT.serverFault,
      EXIT.rateLimited,
      EXIT.auth,
      EXIT.rejected,
    ]
    if (!(error instanceof PayError) || !toleratedExitCodes.includes(error.exitCode)) throw error
    await run.warn(`The payment could not be read (${error.message}); its figures are unknown.`)
    return undefined
  }
}

const describeEmptyAnswer = (fullAmount: number | undefined, currencyCode: string | undefined): string =>
  fullAmount === undefined ? 'empty: all of it' : `empty: all of it, ${formatMoney(fullAmount, currencyCode)}`

const finalIn = ({ body }: Draft): boolean | undefined => {
  const final = fieldAt(body, ['final'])
  return typeof final === 'boolean' ? final : undefined
}

/** Shows one part of the preview of a payment on stderr. A script gets none. */
export async function showPreview(
  run: CommandRun,
  draft: Draft,
  reader: PaymentReader,
  part: keyof Preview,
): Promise<void> {
  const { money } = run.spec
  if (money === undefined || !run.isInteractive) return
  const account = await run.account()
  // The ID is known even if the payment could not be read.
  const preview = money.preview(reader.cached() ?? { id: draft.params['id'] }, {
    profileName: account.profile?.value ?? account.baseUrl.value,
    mode: account.mode.value,
    ledger: describeLedger(account.ledger),
    amountMinor: numberAt(draft.body, 'amount'),
    final: finalIn(draft),
    now: run.context.now(),
    paint: await run.paint('stderr'),
    width: run.context.stderr.columns,
    timeZone: run.context.timeZone(),
  })
  // An empty line separates it from the next question or answer.
  await run.warn(`${preview[part]}\n`, 'ids')
}
