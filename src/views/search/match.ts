import type { Payment, PaymentSummary } from '../../api/models/payment.ts'
import { fitsRefunds } from '../../api/payment-states.ts'
import { editDistance } from '../../text/suggest.ts'
import { parseTimeMs } from '../../text/local-time.ts'
import { exponentOf } from '../../money/currencies.ts'
import { isBefore } from './times.ts'
import type { Period } from './times.ts'
import { isExact } from './query.ts'
import type { Meaning, Query, Word } from './query.ts'

/** What a search looks at. */
export interface Facts extends Pick<
  PaymentSummary,
  'id' | 'date' | 'status' | 'orderId' | 'currencyCode' | 'amount' | 'customerId' | 'processor'
> {
  readonly transactions?: Payment['transactions']
  readonly email?: string | undefined
  /** The customer's names, each in full. */
  readonly names?: readonly string[]
  readonly phone?: string | undefined
  /** The network of the card and the type of the method. */
  readonly brands: readonly string[]
  readonly last4: string | undefined
  /** Whether the payment was read in full, so that what it lacks doesn't exist. */
  readonly isWhole: boolean
}

/** How well a payment has a word: as a whole value, as the name of its state or time, as a part of a value, or not. */
type Match = 'whole' | 'beside' | 'part' | 'none'

/** How a payment has a word, and what more reading it in full may find. */
interface Hold {
  readonly is: Match
  readonly more: Match
}

/** How a payment has each word of a query. */
export type Holds = readonly Hold[]

/** Whether a payment fits. `unknown`: a list's row doesn't tell, so the payment must be read in full. */
export type Fit = 'fits' | 'unknown' | 'no'

/** How a payment has each word; undefined if it is of another time, so that it doesn't count. */
export const holdsOf = ({ words, period }: Query, facts: Facts): Holds | undefined =>
  isWithin(period, facts.date) ? words.map((word) => holdOf(word, facts)) : undefined

function holdOf({ meanings, beside }: Word, facts: Facts): Hold {
  const bestOf = (match: typeof matchOf): Match => {
    const found = best(meanings.map((meaning) => match(meaning, facts)))
    return found !== 'whole' && beside !== undefined && match(beside, facts) === 'whole' ? 'beside' : found
  }
  const is = bestOf(matchOf)
  const more = facts.isWhole || isSure(is) ? 'none' : bestOf(hiddenMatchOf)
  return { is, more: more === is ? 'none' : more }
}

const isSure = (match: Match): boolean => match === 'whole' || match === 'beside'

/** Whether the payment fits, whatever others have. */
export const isCertain = (holds: Holds): boolean => holds.every(({ is }) => isSure(is))

/** What a list's row may not tell. A word without an @ is never a whole e-mail. */
function hiddenMatchOf(meaning: Meaning, facts: Facts): Match {
  const { brands } = facts
  if (meaning.kind === 'refunds')
    return wholeIf(meaning.values.some((value) => fitsRefunds(value, facts) === undefined))
  if (meaning.kind === 'name' || meaning.kind === 'phone') return 'whole'
  if (meaning.kind === 'email') return meaning.value.includes('@') ? 'whole' : 'part'
  // Some services leave the method out of their lists.
  return (meaning.kind === 'last4' || meaning.kind === 'brand') && brands.length === 0 ? 'whole' : 'none'
}

/**
 * For each word, whether one of the payments has it as a whole value. Then a part of another value doesn't count. Payments that an
 * exact word rules out, such as a status, are not among those searched: a service that filters doesn't even list them.
 */
export function wholesIn(words: readonly Word[], all: Iterable<Holds>): readonly boolean[] {
  const exact = words.map(isExact)
  const wholes = words.map(() => false)
  for (const holds of all) {
    if (holds.some(({ is }, at) => exact[at] === true && is !== 'whole')) continue
    for (const [at, { is }] of holds.entries()) wholes[at] ||= is === 'whole'
  }
  return wholes
}

/** Whether a payment fits every word, among payments of which some have these words as whole values. */
export function fitOf(holds: Holds, wholes: readonly boolean[]): Fit {
  const counts = (match: Match, at: number) => isSure(match) || (match === 'part' && wholes[at] !== true)
  if (holds.every(({ is }, at) => counts(is, at))) return 'fits'
  return holds.every(({ is, more }, at) => counts(is, at) || counts(more, at)) ? 'unknown' : 'no'
}

/** Whether reading the payment in full can change which payments fit. */
export const isWorthReading = (holds: Holds, wholes: readonly boolean[]): boolean =>
  fitOf(holds, wholes) !== 'no' &&
  holds.some(({ more }, at) => isSure(more) || (more === 'part' && wholes[at] !== true))

function matchOf(meaning: Meaning, facts: Facts): Match {
  switch (meaning.kind) {
    case 'id':
      return wholeIf(facts.id === meaning.value)
    case 'order':
      return compare(meaning.value, facts.orderId)
    case 'customer':
      return compare(meaning.value, facts.customerId)
    case 'email': {
      const [email, wanted] = [
        facts.email === undefined ? undefined : plainText(facts.email),
        plainText(meaning.value),
      ]
      return email === wanted ? 'whole' : email?.startsWith(wanted) === true ? 'part' : 'none'
    }
    case 'name':
      return best((facts.names ?? []).map((name) => compareName(meaning.value, name)))
    case 'phone':
      return comparePhone(phoneDigits(meaning.value), phoneDigits(facts.phone ?? ''))
    case 'brand':
      return wholeIf(facts.brands.some((brand) => plainBrand(brand) === plainBrand(meaning.value)))
    case 'last4':
      return wholeIf(facts.last4 === meaning.value)
    case 'currency':
      return wholeIf(facts.currencyCode === meaning.value)
    case 'status':
      return wholeIf(meaning.values.some((value) => value === facts.status))
    case 'refunds':
      return wholeIf(meaning.values.some((value) => fitsRefunds(value, facts) === true))
    case 'amount':
      return wholeIf(
        facts.amount === meaning.amountMinor &&
          (meaning.currencyCode === undefined || meaning.currencyCode === facts.currencyCode) &&
          meaning.exponent === exponentOf(facts.currencyCode ?? ''),
      )
    case 'time':
      return wholeIf(isWithin(meaning, facts.date))
  }
}

const wholeIf = (isWhole: boolean): Match => (isWhole ? 'whole' : 'none')

const best = (matches: readonly Match[]): Match =>
  matches.includes('whole') ? 'whole' : matches.includes('part') ? 'part' : 'none'

function compare(wanted: string, value: string | undefined): Match {
  const [part, whole] = [plainText(wanted), value === undefined ? undefined : plainText(value)]
  return whole === part ? 'whole' : whole?.includes(part) === true ? 'part' : 'none'
}

/** The name `Emma Moreau` has `emma`, `moreau` and `emma moreau` as whole values. */
const compareName = (wanted: string, name: string): Match =>
  best([
    compare(wanted, name),
    ...(plainText(name).split(/\s+/).includes(plainText(wanted)) ? ['whole' as const] : []),
  ])

/** In lower case, without accents, and with plain hyphens: `Müller` is found by `muller`. */
export const plainText = (text: string): string =>
  /^[ -~]*$/.test(text)
    ? text.toLowerCase()
    : text
        .normalize('NFKD')
        .replaceAll(/\p{M}/gu, '')
        .replaceAll(/[\u2010-\u2015\u2212]/g, '-')
        .toLowerCase()
        .replaceAll(/[ßøłđæœı]/g, (letter) => LETTERS[letter] ?? letter)

const LETTERS: Readonly<Record<string, string>> = {
  ß: 'ss',
  ø: 'o',
  ł: 'l',
  đ: 'd',
  æ: 'ae',
  œ: 'oe',
  ı: 'i',
}

/** The digits of a telephone number, without the zeros that stand for a country's or a trunk's prefix. */
export const phoneDigits = (text: string): string => text.replaceAll(/\D/g, '').replace(/^0+/, '')

/** One of them may be national and the other international. */
function comparePhone(wanted: string, found: string): Match {
  if (wanted === '' || found === '') return 'none'
  const [long, short] = wanted.length > found.length ? [wanted, found] : [found, wanted]
  if (short.length >= 8 && long.endsWith(short)) return 'whole'
  return found.includes(wanted) ? 'part' : 'none'
}

/** `APPLE_PAY` as `applepay`. */
export const plainBrand = (brand: string): string => brand.toLowerCase().replaceAll(/[\s_-]/g, '')

function isWithin({ from, to }: Period, date: string | undefined): boolean {
  if (from === undefined && to === undefined) return true
  return parseTimeMs(date) !== undefined && !isBefore(date, from) && !isBefore(to, date)
}

/** An e-mail that was typed and that no payment has, and those of payments that differ from it by one slip. */
export interface NearEmails {
  readonly typed: string
  readonly emails: readonly string[]
}

/** The e-mail among the words, which may be misspelt. */
export function emailIn({ words }: Query): { readonly typed: string; readonly at: number } | undefined {
  for (const [at, { meanings }] of words.entries())
    for (const one of meanings)
      if (one.kind === 'email' && /.@./.test(one.value)) return { typed: one.value, at }
  return undefined
}

/** Whether two e-mails differ by one letter that is wrong, missing or added, or by two that are exchanged. */
export const isSlip = (typed: string, email: string): boolean =>
  Math.abs(typed.length - email.length) <= 1 && editDistance(plainText(typed), plainText(email)) === 1

/** To offer where nothing is found, never to take: the e-mails of payments that have all other words. */
export function nearEmails(
  query: Query,
  rows: Iterable<{ readonly holds: Holds; readonly email?: string | undefined }>,
): NearEmails | undefined {
  const { typed = '', at } = emailIn(query) ?? {}
  const emails = new Set<string>()
  for (const { holds, email = '' } of at === undefined ? [] : rows)
    if (holds.every(({ is }, index) => index === at || is !== 'none') && isSlip(typed, email))
      emails.add(email)
  return emails.size === 0 ? undefined : { typed, emails: [...emails].slice(0, 3) }
}
