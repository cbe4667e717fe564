import { PAYMENT_STATUSES } from '../../api/sets.ts'
import type { PaymentStatus } from '../../api/sets.ts'
import { UsageError } from '../../errors.ts'
import { formatLocalTime, withoutSeconds } from '../../text/local-time.ts'
import { passesLuhn } from '../../text/luhn.ts'
import { exponentOf } from '../../money/currencies.ts'
import { parseAmount } from '../../money/parse.ts'
import { joinChoices } from '../../text/suggest.ts'
import { contradiction, refuseContradictions } from './query.ts'
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

/** Reads each word as what it looks like. A card number, an unreadable amount or time, and words that no payment can fit are a problem. */
export function readWords(words: readonly string[], options: WordOptions): ReadWords {
  try {
    const typed = words.map((word) => word.trim()).filter((word) => word !== '')
    refuseCardNumbers(typed)
    return { query: queryOf(typed, options) }
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
  const joined = joinAmounts([...new Set(typed)])
  const codes = joined.flatMap((word) => currencyOf(word) ?? [])
  const read = joined.map((word) => readWord(word, { now, local, currencyCode: codes[0] }))
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

const describePeriod = ({ from, to }: Period, local: Local): readonly Word[] => [
  ...(from === undefined ? [] : [{ words: `from ${local(from)}`, meanings: [] }]),
  ...(to === undefined ? [] : [{ words: `to ${local(to)}`, meanings: [] }]),
]

/** Joins an amount and its currency: `50 EUR` is two words for a shell. Four digits aren't joined, since they may be a card's. */
function joinAmounts(typed: readonly string[]): readonly string[] {
  return typed.flatMap((word, at) => {
    const code = currencyOf(typed[at + 1] ?? '')
    if (isAmountBefore(word) && code !== undefined) return [`${word} ${code}`]
    return isAmountBefore(typed[at - 1]) && currencyOf(word) !== undefined ? [] : [word]
  })
}

const isAmountBefore = (text = ''): boolean => /^\d+(?:\.\d+)?$/.test(text) && !/^\d{4}$/.test(text)

const currencyOf = (word: string): string | undefined => {
  const code = word.toUpperCase()
  return exponentOf(code) === undefined ? undefined : code
}

const FORCED = /^(order|customer|email|amount|last4):(.*)$/is
const WRITTEN_AMOUNT = /^(\d+)((?:[.,]\d{1,4})?)( *)([a-z]{3})?$/i

function readWord(
  text: string,
  { now, local, currencyCode }: { now: Date; local: Local; currencyCode: string | undefined },
): Word {
  const [, prefix, value = ''] = FORCED.exec(text) ?? []
  if (prefix !== undefined) return forced(prefix.toLowerCase(), value.trim(), currencyCode)
  if (/^[^\s@]+@[^\s@]*$/.test(text)) return one('e-mail', { kind: 'email', value: text })
  const status = PAYMENT_STATUSES.find((known) => known === text.toUpperCase().replaceAll(/[\s-]/g, '_'))
  if (status !== undefined) return statusWord([status])
  const code = currencyOf(text)
  if (code !== undefined) return one('currency', { kind: 'currency', value: code })
  const period = periodOfWord(text, now)
  if (period !== undefined)
    return {
      words: period.to === undefined ? `since ${local(period.from ?? '')}` : `from ${text.toLowerCase()}`,
      meanings: [{ kind: 'time', ...period }],
    }
  if (looksLikeAmount(text)) return amount(text, currencyCode)
  if (/^\d{4}$/.test(text))
    return {
      words: `last four or order ${text}`,
      meanings: [
        { kind: 'last4', value: text },
        { kind: 'order', value: text },
      ],
    }
  if (!/^[\w.-]{1,64}$/.test(text)) return one('order', { kind: 'order', value: text })
  return {
    words: `payment or order ${text}`,
    meanings: [
      { kind: 'id', value: text },
      { kind: 'order', value: text },
    ],
  }
}

const statusWord = (values: readonly PaymentStatus[]): Word => ({
  words: `status ${joinChoices(values)}`,
  meanings: [{ kind: 'status', values }],
})

const one = (name: string, meaning: Meaning & { readonly value: string }): Word => ({
  words: `${name} ${meaning.value}`,
  meanings: [meaning],
})

function forced(prefix: string, value: string, currencyCode: string | undefined): Word {
  if (value === '') throw new UsageError(`${prefix}: needs a value after its colon`, { code: 'bad_value' })
  if (prefix === 'amount') return amount(value, currencyCode)
  if (prefix === 'order') return one('order', { kind: 'order', value })
  if (prefix === 'customer') return one('customer', { kind: 'customer', value })
  if (prefix === 'email') return one('e-mail', { kind: 'email', value })
  // The message leaves the value out: it may be a full card number.
  if (!/^\d{4}$/.test(value)) throw new UsageError('last4: takes four digits', { code: 'bad_value' })
  return one('last four', { kind: 'last4', value })
}

/** Whether the word has decimals or a currency after it. */
function looksLikeAmount(text: string): boolean {
  const [, , decimals = '', space = '', code] = WRITTEN_AMOUNT.exec(text) ?? []
  if (code === undefined) return decimals !== ''
  return (decimals !== '' || space !== '') && currencyOf(code) !== undefined
}

/** A currency for each number of decimals: 49.90 may be euros or dollars, but neither yen nor dinars. */
const EXAMPLES = ['EUR', 'EUR', 'KWD', 'CLF'] as const

function amount(text: string, knownCode: string | undefined): Word {
  const [, units = '', fraction = '', , written] = WRITTEN_AMOUNT.exec(text) ?? []
  const currencyCode = written?.toUpperCase() ?? (fraction === '' ? undefined : knownCode)
  const example = fraction === '' ? undefined : EXAMPLES[fraction.length - 2]
  const code = currencyCode ?? example
  const isReadable = units !== '' && !fraction.startsWith(',') && code !== undefined
  const { amountMinor } = parseAmount(isReadable ? `${units}${fraction} ${code}` : text, {
    what: 'The amount',
    allowZero: true,
    hint: "Write 49.90 or '49.90 EUR'; amount:4990 is minor units.",
  })
  const money = currencyCode === undefined ? '' : ` ${currencyCode}`
  return {
    words: `amount ${code === undefined ? `${units} in minor units` : `${units}${fraction}${money}`}`,
    meanings: [
      {
        kind: 'amount',
        amountMinor,
        currencyCode,
        exponent: currencyCode === undefined && example !== undefined ? exponentOf(example) : undefined,
      },
    ],
  }
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
