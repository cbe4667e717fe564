import type { ValidationProblem } from '../../errors.ts'
import { formatMoney } from '../../money/format.ts'
import { needsCurrency, parseAmount, refuseUnknownCurrency } from '../../money/parse.ts'
import type { Draft } from '../command/draft.ts'
import type { FlagSpec, Parts } from '../command/flags.ts'
import { textFlag } from '../command/input.ts'
import type { FlagValue } from '../command/input.ts'
import type { CommandRun } from '../command/spec.ts'
import { isRecord } from '../../json/is-record.ts'
import { parseFieldPath, setField } from '../parse/field-path.ts'
import { parseParts, partsNeedCurrency } from '../parse/object-flags.ts'
import { fieldAt, mergeDeep } from '../../json/fields.ts'

/** Amounts as typed on the command line, and the fields of the request that they set. */

/**
 * Applies a typed amount to the draft. If the request has a `currencyCode` field, sets amount and currency; otherwise
 * `settleAmount` completes or checks the amount later, with the payment.
 */
export function applyAmount(
  run: Pick<CommandRun, 'spec' | 'isInteractive'>,
  draft: Draft,
  { what, flag, text }: { readonly what: string; readonly flag: FlagSpec; readonly text: string },
): Draft {
  if (run.spec.money !== undefined) return applyPaymentAmount(run, draft, what, text)
  const amount = parseAmount(text, { what, currencyCode: currencyIn(draft.body), allowZero: true })
  const path = parseFieldPath(flag.field ?? 'amount', what)
  const body = setField(draft.body, path, amount.amountMinor, what)
  return { ...draft, body: withCurrency(body, amount.currencyCode, what) }
}

function applyPaymentAmount(
  { isInteractive }: Pick<CommandRun, 'isInteractive'>,
  draft: Draft,
  what: string,
  text: string,
): Draft {
  const money = { text, currencyCode: draft.money?.currencyCode }
  const needsPayment = money.currencyCode === undefined && needsCurrency(text)
  if (needsPayment && !isInteractive) parseAmount(text, { what, allowZero: false })
  // Drop an amount from --data at once: --amount replaces it, and its own figure comes later.
  if (needsPayment) return { ...draft, money, body: withoutAmount(draft.body) }
  const amount = parseAmount(text, { what, currencyCode: money.currencyCode, allowZero: false })
  return {
    ...draft,
    money: { text, currencyCode: amount.currencyCode ?? money.currencyCode },
    body: setField(draft.body, ['amount'], amount.amountMinor, what),
  }
}

/** Applies a currency that has no field in the request: it is only checked against the payment's. */
export function applyPaymentCurrency(draft: Draft, what: string, currencyCode: string): Draft {
  refuseUnknownCurrency(currencyCode, what)
  return { ...draft, money: { text: draft.money?.text, currencyCode } }
}

/** Applies an object flag, or a list of them. Their amounts take the currency of the request. */
export function applyParts(
  draft: Draft,
  what: string,
  { field = '', parts }: FlagSpec & { readonly parts: Parts },
  typed: string | readonly string[],
): Draft {
  let currencyCode = currencyIn(draft.body)
  const read = (text: string): unknown => {
    const parsed = parseParts(text, { what, parts, currencyCode })
    currencyCode = parsed.currencyCode
    return parsed.value
  }
  const value = typeof typed === 'string' ? read(typed) : typed.map(read)
  const path = parseFieldPath(field, what)
  const body = setField(draft.body, path, mergeDeep(fieldAt(draft.body, path), value), what)
  return { ...draft, body: withCurrency(body, currencyCode, what) }
}

/**
 * When to apply a flag: flags without amounts first (0), then amounts (1), then bare decimals (2), whose currency may be
 * typed with another amount.
 */
export function applyOrder({ kind, parts = {} }: FlagSpec, value: FlagValue): 0 | 1 | 2 {
  const isAmount = kind === 'amount'
  if (!isAmount && !Object.values(parts).includes('amount')) return 0
  const texts = typeof value === 'object' ? value : typeof value === 'string' ? [value] : []
  const isBare = (text: string) => (isAmount ? needsCurrency(text) : partsNeedCurrency(text, parts))
  return texts.some(isBare) ? 2 : 1
}

/** Required fields that may still be missing: the amount of a capture, refund or adjustment is settled with the payment, or asked for. */
export function pendingFields(
  { spec, settings, isInteractive }: CommandRun,
  { money }: Draft,
): readonly string[] {
  const isAsked = isInteractive && settings.mode === 'send' && spec.money?.asksAmount === 'always'
  return isAsked || money?.text !== undefined ? ['amount'] : []
}

/** How to give the currency that an integer of --amount lacks, if that is what is wrong with the request. */
export function hintForCurrency(
  { input }: Pick<CommandRun, 'input'>,
  problems: readonly ValidationProblem[],
): string | undefined {
  const typed = textFlag(input, 'amount')
  if (typed === undefined || textFlag(input, 'currency') !== undefined) return undefined
  if (problems.length > 1 || problems[0]?.path !== 'currencyCode') return undefined
  const money = formatMoney(Number(typed), 'EUR')
  return `--amount ${typed} is in minor units and needs a currency: add --currency, such as EUR for ${money}, or write --amount '${money}'.`
}

function currencyIn(body: unknown): string | undefined {
  const currencyCode = fieldAt(body, ['currencyCode'])
  return typeof currencyCode === 'string' ? currencyCode : undefined
}

const withCurrency = (body: unknown, currencyCode: string | undefined, what: string): unknown =>
  currencyCode === undefined ? body : setField(body, ['currencyCode'], currencyCode, what)

function withoutAmount(body: unknown): unknown {
  if (!isRecord(body)) return body
  const { amount: _replaced, ...rest } = body
  return rest
}
