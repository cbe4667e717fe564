import { CARD_NETWORKS } from '../../api/sets.ts'
import type { PaymentStatus } from '../../api/sets.ts'
import { UsageError } from '../../errors.ts'
import { formatLocalTime, withoutSeconds } from '../../text/local-time.ts'
import { passesLuhn } from '../../text/luhn.ts'
import { exponentOf } from '../../money/currencies.ts'
import { joinChoices } from '../../text/suggest.ts'
import { contradiction, refuseContradictions } from './query.ts'
import { phoneDigits, plainBrand } from './match.ts'
import { daysOfWord } from './spans.ts'
import { stateNamed, statusNamed } from './states.ts'
import { joinTyped } from './typed.ts'
import type { Meaning, Query, Word } from './query.ts'
import { intersect, isEmptyPeriod, periodOfWord } from './times.ts'
import type { Period } from './times.ts'

export interface WordOptions {
  readonly now: Date
  /** The zone in which times are described; UTC by default. */
  readonly timeZone?: string | undefined
  /** The period that flags give. */
  readonly period?: Period
  /** The statuses of which a payment must have one. */
  readonly statuses?: readonly PaymentStatus[] | undefined
}

export type ReadWords =
  | { readonly query: Query; readonly problem?: undefined }
  | { readonly query?: undefined; readonly problem: UsageError }

/** Reads each word as what it may be. A card number, an unreadable time, and words that no payment can fit are a problem. */
export function readWords(words: readonly string[], options: WordOptions): ReadWords {
  try {
    const typed = words.map((word) => word.trim()).filter((word) => word !== '')
    refuseCardNumbers(typed)
    return { query: queryOf(joinTyped(typed, options.now), options) }
  } catch (error) {
    if (error instanceof UsageError) return { problem: error }
    throw error
  }
}

/** The query for a status line: `last four 4242, from today`. */
export const describe = ({ words }: Query): string => words.map((word) => word.words).join(', ')

function queryOf(
  typed: readonly string[],
  { now, timeZone = 'UTC', period: ofFlags, statuses }: WordOptions,
): Query {
  const local = (time: string): string => withoutSeconds(formatLocalTime(time, timeZone) ?? time)
  const read = [...new Set(typed)].map((word) => readWord(word, now, local))
  const ofWords = read.flatMap(({ meanings }) =>
    meanings.flatMap((one) => (one.kind === 'time' ? [one] : [])),
  )
  const none: Period = { from: undefined, to: undefined }
  const period = [ofFlags ?? none, ...ofWords].reduce(intersect, none)
  if (isEmptyPeriod(period)) throw contradiction('The times have no moment in common, so no payment can fit')
  // What is typed narrows the statuses, so that it is the filter that is sent.
  const words = [...(statuses === undefined ? [] : [statusWord(statuses)]), ...read]
  const query = {
    words: ofFlags === undefined ? words : [...words, ...describePeriod(ofFlags, local)],
    period,
  }
  refuseContradictions(query)
  return query
}

type Local = (time: string) => string

const describePeriod = ({ from, to }: Period, local: Local): readonly Word[] =>
  [
    ...(from === undefined ? [] : [{ words: `from ${local(from)}`, from, to: undefined }]),
    ...(to === undefined ? [] : [{ words: `to ${local(to)}`, from: undefined, to }]),
  ].map(({ words, ...period }) => ({ words, meanings: [{ kind: 'time', ...period }], asks: [] }))

const FORCED = /^(order|customer|email|name|phone|amount|last4):(.*)$/is

/** Reads a word as each thing that it may be. */
function readWord(text: string, now: Date, local: Local): Word {
  const [, prefix, value = ''] = FORCED.exec(text) ?? []
  if (prefix !== undefined) return forced(prefix.toLowerCase(), value.trim())
  const status = statusNamed(text)
  if (status !== undefined) return statusWord([status])
  const code = CURRENCY_WORDS[text.toUpperCase()] ?? text.toUpperCase()
  if (exponentOf(code) !== undefined) return only('currency', { kind: 'currency', value: code })
  const period = periodOfWord(text, now)
  if (period !== undefined) return timeWord(text, period, local)
  const state = stateNamed(text)
  if (state !== undefined) return orOpen(text, `state ${text.toLowerCase()}`, state)
  const days = daysOfWord(text, now)
  return days === undefined
    ? openWord(text)
    : orOpen(text, timeWord('', days, local).words, { kind: 'time', ...days })
}

/** A state or a time whose name may also be an order's or a person's, unless it has several words. */
function orOpen(text: string, words: string, meaning: Meaning): Word {
  const asks = meaning.kind === 'refunds' ? [] : [meaning]
  if (/\s/.test(text)) return { words, meanings: [meaning], asks }
  const open = openWord(text)
  return { ...open, words: `${words} or ${open.words}`, beside: meaning, asks: [...asks, ...open.asks] }
}

const timeWord = (text: string, period: Period, local: Local): Word => ({
  words: period.to === undefined ? `since ${local(period.from ?? '')}` : `from ${dayIn(text, period)}`,
  meanings: [{ kind: 'time', ...period }],
  asks: [],
})

/** `today` as it is typed, and other days in one way. */
const dayIn = (text: string, { from = '', to = '' }: Period): string =>
  /^[a-z]+$/i.test(text)
    ? text.toLowerCase()
    : [...new Set([from.slice(0, 10), to.slice(0, 10)])].join(' to ')

const CURRENCY_WORDS: Readonly<Record<string, string>> = {
  EURO: 'EUR',
  EUROS: 'EUR',
  POUNDS: 'GBP',
  YEN: 'JPY',
}

/** A word of no closed set. It is looked for in every field where it can stand. */
function openWord(text: string): Word {
  const amounts = amountsIn(text)
  const phone = isTelephone(text) ? [{ kind: 'phone', value: text } as const] : []
  const order = { kind: 'order', value: text } as const
  const customer = { kind: 'customer', value: text } as const
  if (text.includes('@') && !/\s/.test(text)) {
    const email = { kind: 'email', value: text } as const
    const isWhole = /@[^@]+\.[^@.]+$/.test(text)
    return wordOf(text, [email, customer, order], isWhole ? [email, customer] : [])
  }
  const [first] = amounts
  if (first?.currencyCode !== undefined) return { words: `amount ${text}`, meanings: amounts, asks: amounts }
  if (amounts.length > 0 && !/^\d+$/.test(text))
    return wordOf(text, [...amounts, order, customer], amounts.filter(isCommon))
  if (amounts.length > 0) {
    const last4 = text.length === 4 ? [{ kind: 'last4', value: text } as const] : []
    const id = { kind: 'id', value: text } as const
    const asks = [...last4, ...(text.length > 4 ? [id] : []), order, customer, ...amounts.filter(isCommon)]
    return wordOf(text, [...last4, id, order, customer, ...phone, ...amounts], asks)
  }
  const brand = { kind: 'brand', value: text } as const
  if (BRANDS.has(plainBrand(text))) return wordOf(text, [brand, order, customer], [])
  // A service compares as it is written, and orders are mostly in capitals.
  const capitals =
    /\d/.test(text) && text !== text.toUpperCase() ? [{ ...order, value: text.toUpperCase() }] : []
  const id = /^[\w.-]{1,64}$/.test(text) ? [{ kind: 'id', value: text } as const] : []
  const name = /\d/.test(text) ? [] : [{ kind: 'name', value: text } as const]
  const persons = [{ kind: 'email', value: text } as const, ...name]
  const orders = ordersIn(text)
  return wordOf(
    text,
    [...id, ...orders, customer, ...persons, ...phone, brand],
    [...id, ...orders, ...capitals, customer],
  )
}

/** Shops show the order `1171` as `#1171`, and some have it so. */
const ordersIn = (value: string): readonly Meaning[] =>
  [value, ...(/^#./.test(value) ? [value.slice(1)] : [])].map((one) => ({ kind: 'order', value: one }))

/** Whether a text of seven digits or more has nothing else that a telephone number doesn't have. */
const isTelephone = (text: string): boolean =>
  /^[+(]?\d[\d()/. -]{6,24}$/.test(text) && phoneDigits(text).length >= 6

const METHODS = ['PAYPAL', 'APPLE_PAY', 'GOOGLE_PAY', 'KLARNA', 'IDEAL']
const BRANDS: ReadonlySet<string> = new Set([...CARD_NETWORKS, ...METHODS].map(plainBrand))

const KIND_NAMES: Readonly<Partial<Record<Meaning['kind'], string>>> = {
  id: 'payment',
  email: 'e-mail',
  last4: 'last four',
}

function wordOf(text: string, meanings: readonly Meaning[], asks: readonly Meaning[]): Word {
  const kinds = [...new Set(meanings.map(({ kind }) => KIND_NAMES[kind] ?? kind))]
  const shown = kinds.length > 3 ? `"${text}"` : `${joinChoices(kinds)} ${text}`
  return { words: shown, meanings, asks }
}

const statusWord = (values: readonly PaymentStatus[]): Word => ({
  words: `status ${joinChoices(values)}`,
  meanings: [{ kind: 'status', values }],
  asks: [{ kind: 'status', values }],
})

const only = (name: string, meaning: Meaning & { readonly value: string }): Word => ({
  words: `${name} ${meaning.value}`,
  meanings: [meaning],
  asks: meaning.kind === 'name' || meaning.kind === 'phone' ? [] : [meaning],
})

function forced(prefix: string, value: string): Word {
  if (value === '') throw new UsageError(`${prefix}: needs a value after its colon`, { code: 'bad_value' })
  if (prefix === 'amount') {
    const meanings = amountsIn(value)
    if (meanings.length > 0) return { words: `amount ${value}`, meanings, asks: meanings.filter(isCommon) }
    const isLong = value.length > 40 || value.replaceAll(/\D/g, '').length >= 12
    throw new UsageError(`amount: takes an amount${isLong ? '' : `, not "${value}"`}`, {
      code: 'bad_amount',
      hint: "Write 208, 208.00, 208,00 or '208 EUR'.",
    })
  }
  if (prefix === 'order') {
    const orders = ordersIn(value)
    return { words: `order ${value}`, meanings: orders, asks: orders }
  }
  if (prefix === 'customer' || prefix === 'name' || prefix === 'phone')
    return only(prefix, { kind: prefix, value })
  if (prefix === 'email') {
    const email = { kind: 'email', value } as const
    return { words: `e-mail ${value}`, meanings: [email], asks: value.endsWith('@') ? [] : [email] }
  }
  // The message leaves the value out: it may be a full card number.
  if (!/^\d{4}$/.test(value)) throw new UsageError('last4: takes four digits', { code: 'bad_value' })
  return only('last four', { kind: 'last4', value })
}

const SIGNS: Readonly<Record<string, string>> = { '€': 'EUR', '£': 'GBP' }
const AMOUNT =
  /^(?:(?<before>[a-z]{3}) ?|(?<sign>[€$£¥]) ?)?(?<digits>\d[\d.,'’]{0,19}?)(?:[.,]-)?(?: ?(?:(?<after>[a-z]{3})|(?<signAfter>[€$£¥])))?$/i
const EXPONENTS = [2, 0, 3, 4] as const

/** The amounts in major units that a text can mean, in each number of decimals that a currency has; none if it is no amount. */
function amountsIn(text: string): readonly (Meaning & { readonly kind: 'amount' })[] {
  const { before, sign, digits = '', after, signAfter } = AMOUNT.exec(text)?.groups ?? {}
  const currencyCode = (before ?? after)?.toUpperCase() ?? SIGNS[sign ?? signAfter ?? '']
  const exponent = currencyCode === undefined ? undefined : exponentOf(currencyCode)
  if (currencyCode !== undefined && exponent === undefined) return []
  return (exponent === undefined ? EXPONENTS : [exponent]).flatMap((decimals) =>
    [...new Set(readingsOf(digits).flatMap(([units, fraction]) => minorOf(units, fraction, decimals)))].map(
      (amountMinor) => ({ kind: 'amount' as const, amountMinor, currencyCode, exponent: decimals }),
    ),
  )
}

/** Few currencies have four decimals: the service isn't asked for them. */
const isCommon = ({
  exponent,
  currencyCode,
}: {
  exponent: number
  currencyCode: string | undefined
}): boolean => exponent !== 4 || currencyCode !== undefined

/** Units and decimals: `1.234` and `1,234` can have three decimals, or be thousands. */
function readingsOf(digits: string): readonly (readonly [units: string, decimals: string])[] {
  const [, units, decimals = ''] = /^(\d{1,13})(?:[.,](\d{1,4}))?$/.exec(digits) ?? []
  const [, point, grouped, , rest = ''] =
    /^(?=\d{1,3}([.,'’]))(\d{1,3}(?:\1\d{3}){1,4})(?:(?!\1)([.,])(\d{1,4}))?$/.exec(digits) ?? []
  return [
    ...(units === undefined ? [] : [[units, decimals] as const]),
    ...(grouped === undefined ? [] : [[grouped.replaceAll(point ?? '', ''), rest] as const]),
  ]
}

function minorOf(units: string, decimals: string, exponent: number): readonly number[] {
  const amountMinor = Number(units + decimals.padEnd(exponent, '0'))
  return decimals.length <= exponent && Number.isSafeInteger(amountMinor) ? [amountMinor] : []
}

/** Refuses card numbers, also in separate groups of digits. */
function refuseCardNumbers(typed: readonly string[]): void {
  const groups = typed.join(' ').match(/(?<![^\s])\d[\d -]*(?!\S)/g) ?? []
  for (const word of [...typed, ...groups]) {
    const digits = word.replaceAll(/[ \u00a0-]/g, '')
    if (!/^\d{15,16}$/.test(digits) || !passesLuhn(digits)) continue
    throw new UsageError(
      `One of the words is a card number (ending in ${digits.slice(-4)}): it was not sent`,
      {
        code: 'card_number',
        outcome: 'none',
        hint: `Search for its last four digits: ${digits.slice(-4)}. If it is an order, write order: before it.`,
      },
    )
  }
}
