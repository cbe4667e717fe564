import { passesLuhn } from '../../../text/luhn.ts'
import { schemeOf } from './scheme.ts'
import { digitsOf, groupDigits } from './typed-digits.ts'
import { capitalize } from '../../../text/words.ts'

/** The fields as typed. */
export interface Card {
  readonly number: string
  readonly expiry: string
  readonly code: string
  readonly name: string
}

export type CardField = keyof Card

/** The fields in the order of the form, so that the first problem is the first field to correct. */
export const CARD_FIELDS: readonly CardField[] = ['number', 'expiry', 'code', 'name']

export const EMPTY_CARD: Card = { number: '', expiry: '', code: '', name: '' }

/** The problem of each invalid field: what is wrong and what to do. Expiry is checked against `today` in local time. */
export function checkCard(card: Card, today: Date): Partial<Record<CardField, string>> {
  const problems = {
    number: checkNumber(digitsOf(card.number)),
    expiry: checkExpiry(card.expiry, today),
    code: checkCode(card),
    name: /\d{4}/.test(card.name) ? 'Enter the name, not a number.' : undefined,
  }
  return Object.fromEntries(Object.entries(problems).filter(([, problem]) => problem !== undefined))
}

function checkNumber(digits: string): string | undefined {
  if (digits === '') return 'Enter the card number.'
  const scheme = schemeOf(digits)
  const lengths = scheme?.lengths ?? [12, 13, 14, 15, 16, 17, 18, 19]
  const [shortest = 0, longest = 0] = [lengths[0], lengths.at(-1)]
  const whose = scheme === undefined ? 'A card' : capitalize(cardOf(scheme.name))
  if (digits.length < shortest) return `The card number is too short. ${whose} has ${countOf(lengths)}.`
  if (digits.length > longest) return `The card number is too long. ${whose} has ${countOf(lengths)}.`
  if (!lengths.includes(digits.length)) return `${whose} has ${countOf(lengths)}. Check the card number.`
  return passesLuhn(digits) ? undefined : 'The card number is not valid. Check its digits.'
}

const cardOf = (name: string): string => `${/^[AEIOU](?!ni)/.test(name) ? 'an' : 'a'} ${name} card`

const countOf = (lengths: readonly number[]): string => {
  const [shortest, longest] = [lengths[0], lengths.at(-1)]
  if (shortest === longest) return `${shortest} digits`
  return lengths.length > 3
    ? `${shortest} to ${longest} digits`
    : `${lengths.slice(0, -1).join(', ')} or ${longest} digits`
}

function checkExpiry(text: string, today: Date): string | undefined {
  if (text.trim() === '') return 'Enter the expiry date as MM/YY.'
  const { month, year } = /^(?<month>\d{2})\/(?<year>\d{2})$/.exec(text.trim())?.groups ?? {}
  if (month === undefined || year === undefined) return 'Enter the expiry date as MM/YY, such as 04/30.'
  if (Number(month) < 1 || Number(month) > 12) return 'The month must be from 01 to 12.'
  const monthsLeft = (2000 + Number(year) - today.getFullYear()) * 12 + Number(month) - 1 - today.getMonth()
  if (monthsLeft < 0) return 'The card has expired. Use another card.'
  return monthsLeft > 20 * 12 ? 'The expiry date is too far in the future. Check the year.' : undefined
}

function checkCode({ number, code }: Card): string | undefined {
  const scheme = schemeOf(digitsOf(number))
  const length = scheme?.codeLength ?? 3
  const isFine = scheme === undefined ? /^\d{3,4}$/.test(code) : /^\d+$/.test(code) && code.length === length
  if (isFine) return undefined
  if (code === '') return 'Enter the security code.'
  return scheme === undefined
    ? 'The security code has 3 or 4 digits.'
    : `The security code of ${cardOf(scheme.name)} has ${length} digits.`
}

/** The form filled for a test card. It expires three years from `today`. */
export function filledCard(digits: string, today: Date): Card {
  const year = String((today.getFullYear() + 3) % 100).padStart(2, '0')
  return {
    number: groupDigits(digits),
    expiry: `12/${year}`,
    code: schemeOf(digits)?.codeLength === 4 ? '1234' : '123',
    name: 'Test Customer',
  }
}
