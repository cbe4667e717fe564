import { describeLedger } from '../../client/config/ledger-choice.ts'
import { EXIT, PayError } from '../../errors.ts'
import { formatMoney } from '../../money/format.ts'
import { parseAmount } from '../../money/parse.ts'
import { asFlagValue, interpretAmount, readAmount, readingsOf } from '../../money/read-amount.ts'
import type { AmountFacts } from '../../money/read-amount.ts'
import { roomOf } from '../account/room.ts'
import { checkWith } from '../command/prompts-port.ts'
import type { Question } from '../command/prompts-port.ts'
import type { Draft } from '../command/draft.ts'
import type { Invocation } from '../command/invocation.ts'
import type { Preview, CommandRun } from '../command/spec.ts'
import { setField } from '../parse/field-path.ts'
import { fieldAt, numberAt, textAt } from '../../json/fields.ts'

/** The amount of a payment command on a terminal. The amount shown is always the amount sent. */

/**
 * The draft with its typed amount in minor units: a bare decimal takes the payment's currency. Refuses what the service would
 * refuse, as far as the payment shows.
 */
export async function withTypedAmount(
  run: CommandRun,
  draft: Draft,
  read: () => Promise<unknown>,
): Promise<Draft> {
  const payment = await readForPreview(run, read)
  const { decimal } = draft.money ?? {}
  const currencyCode = textAt(payment, 'currencyCode')
  const typed =
    decimal === undefined
      ? draft
      : withAmount(
          draft,
          parseAmount(decimal, { what: '--amount', currencyCode, allowZero: false }).amountMinor,
        )
  const refusal = run.spec.money?.refusal(payment, numberAt(typed.body, 'amount'))
  if (refusal !== undefined) throw refusal
  return typed
}

/** Reads the payment. If the service can't return it, warns and continues without its amounts; if it doesn't exist, throws. */
async function readForPreview(run: CommandRun, read: () => Promise<unknown>): Promise<unknown> {
  try {
    return await read()
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

export const withAmount = (draft: Draft, amountMinor: number | undefined): Draft =>
  amountMinor === undefined
    ? draft
    : { ...draft, body: setField(draft.body, ['amount'], amountMinor, '--amount') }

/**
 * Shows the payment, and asks for the amount if none is typed and the command takes one. With --yes, all that is left is meant.
 * `refusal` says why an amount is refused as it is typed.
 */
export async function askAmount(
  run: CommandRun,
  draft: Draft,
  payment: unknown,
  refusal: AmountFacts['refusal'],
): Promise<Draft> {
  const { money, warnMore, askMore } = run.spec
  await showPreview(run, draft, payment, 'facts')
  await warnMore?.(run, payment)
  for (const { limit, left } of await roomOf(run.context, await run.account()))
    await run.note(`${left} left of the limit of ${limit}.`)
  if (money === undefined || fieldAt(draft.body, ['amount']) !== undefined) return draft
  const fullAmount = money.fullAmount(payment)
  const isTotal = money.asksAmount === 'always'
  if (money.asksAmount === 'never' || (run.settings.assumesYes && !isTotal))
    return withAmount(draft, fullAmount)
  const currencyCode = textAt(payment, 'currencyCode')
  const facts: AmountFacts = {
    label: isTotal ? 'New amount' : 'Amount',
    hint: isTotal ? undefined : describeEmptyAnswer(fullAmount, currencyCode),
    currencyCode,
    isOfPayment: true,
    allowZero: false,
    fullAmount: isTotal ? undefined : { amountMinor: fullAmount },
    refusal,
  }
  const settled = withAmount(draft, readAmount(facts, await askForAmount(run, facts)))
  return (await askMore?.(run, settled, payment)) ?? settled
}

const describeEmptyAnswer = (fullAmount: number | undefined, currencyCode: string | undefined): string =>
  fullAmount === undefined
    ? 'empty: all of it'
    : `half, 50%; empty: all of it, ${formatMoney(fullAmount, currencyCode)}`

/** Shows one part of the preview of a payment on stderr. */
export async function showPreview(
  run: CommandRun,
  draft: Draft,
  payment: unknown,
  part: keyof Preview,
): Promise<void> {
  const { money } = run.spec
  if (money === undefined) return
  const account = await run.account()
  const final = fieldAt(draft.body, ['final'])
  // The ID is known even if the payment could not be read.
  const preview = money.preview(payment ?? { id: draft.params['id'] }, {
    profileName: account.profile?.value ?? account.baseUrl.value,
    mode: account.mode.value,
    ledger: describeLedger(account.ledger),
    amountMinor: numberAt(draft.body, 'amount'),
    final: typeof final === 'boolean' ? final : undefined,
    now: run.context.now(),
    paint: await run.paint('stderr'),
    width: run.context.stderr.columns,
    timeZone: run.context.timeZone(),
  })
  // An empty line separates it from the next question or answer.
  await run.warn(`${preview[part]}\n`, 'ids')
}

/** A question that checks the amount and shows how it is understood: `12.50 EUR = 1250`. */
export function amountQuestion(facts: AmountFacts): Question {
  return {
    label: facts.label,
    hint: facts.hint,
    // Of two readings, one may be too much.
    check: checkWith((text) => readAmount(facts, readingsOf(facts, text).at(-1) ?? text)),
    interpret: (text) => interpretAmount(facts, text),
  }
}

/** Asks for an amount, and which one is meant where it has two readings. Returns it as a flag takes it; empty if the answer is. */
export async function askForAmount(
  { prompts, warn }: Pick<Invocation, 'prompts' | 'warn'>,
  facts: AmountFacts,
  question: Question = amountQuestion(facts),
): Promise<string> {
  const { text } = await prompts()
  for (;;) {
    const typed = await text(question)
    const readings = readingsOf(facts, typed)
    if (readings.length === 0) return asFlagValue(typed, facts.currencyCode)
    const meant = readingOf(readings, await text(whichOf(facts, readings)))
    const problem = question.check?.(meant)
    if (problem === undefined) return meant
    await warn(problem)
  }
}

/** Takes the number of a reading, or the amount with its decimals. */
const whichOf = (facts: AmountFacts, readings: readonly string[]): Question => ({
  label: `${readings.join(' or ')}?`,
  hint: '1 for the first, 2 for the second',
  check: (answer) =>
    readings.includes(readingOf(readings, answer)) ? undefined : `Type 1 for ${readings.join(', or 2 for ')}`,
  interpret: (answer) => interpretAmount(facts, readingOf(readings, answer)),
})

const readingOf = (readings: readonly string[], answer: string): string => {
  const typed = answer.trim()
  return readings.find((reading, at) => [String(at + 1), reading.split(' ')[0]].includes(typed)) ?? typed
}
