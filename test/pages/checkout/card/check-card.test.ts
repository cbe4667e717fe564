import { expect, test } from 'vitest'
import { EMPTY_CARD, checkCard, filledCard } from '../../../../src/pages/checkout/card/check-card.ts'

const TODAY = new Date(2026, 10, 22)
const VALID = { number: '4111 1111 1111 1111', expiry: '12/29', code: '123', name: '' }
const problemOf = (field: 'number' | 'expiry' | 'code' | 'name', text: string, more = {}) =>
  checkCard({ ...VALID, ...more, [field]: text }, TODAY)[field]

test('a valid card has no problem; an empty one lacks all but the name', () => {
  expect(checkCard(VALID, TODAY)).toEqual({})
  expect(Object.keys(checkCard(EMPTY_CARD, TODAY))).toEqual(['number', 'expiry', 'code'])
})

test.each([
  ['4111 1111 1111 1112', 'The card number is not valid. Check its digits.'],
  ['4111', 'The card number is too short. A Visa card has 13, 16 or 19 digits.'],
  ['4111 1111 1111 11', 'A Visa card has 13, 16 or 19 digits. Check the card number.'],
  ['3782 822463 1000', 'The card number is too short. An American Express card has 15 digits.'],
  ['5555 5555 5555 4444 1', 'The card number is too long. A Mastercard card has 16 digits.'],
  ['9999', 'The card number is too short. A card has 12 to 19 digits.'],
])('the card number: %s: %s', (number, problem) => expect(problemOf('number', number)).toBe(problem))

test.each([
  ['11/26', undefined],
  ['10/26', 'The card has expired. Use another card.'],
  ['12/25', 'The card has expired. Use another card.'],
  ['13/29', 'The month must be from 01 to 12.'],
  ['00/29', 'The month must be from 01 to 12.'],
  ['1/29', 'Enter the expiry date as MM/YY, such as 04/30.'],
  ['12', 'Enter the expiry date as MM/YY, such as 04/30.'],
  ['11/46', undefined],
  ['12/46', 'The expiry date is too far in the future. Check the year.'],
])('the expiry date: %s: %s', (expiry, problem) => expect(problemOf('expiry', expiry)).toBe(problem))

test.each([
  ['12', {}, 'The security code of a Visa card has 3 digits.'],
  ['1234', {}, 'The security code of a Visa card has 3 digits.'],
  ['12a', {}, 'The security code of a Visa card has 3 digits.'],
  ['1234', { number: '378282246310005' }, undefined],
  ['123', { number: '378282246310005' }, 'The security code of an American Express card has 4 digits.'],
  ['12', { number: '' }, 'The security code has 3 or 4 digits.'],
  ['1234', { number: '' }, undefined],
])('the security code: %s with %j: %s', (code, more, problem) =>
  expect(problemOf('code', code, more)).toBe(problem),
)

test('a number typed as the name is noticed', () => {
  expect(problemOf('name', '4111 1111')).toBe('Enter the name, not a number.')
  expect(problemOf('name', 'Ada Lovelace II')).toBeUndefined()
})

test('a test card fills a form without problems', () => {
  for (const number of ['4111111111111111', '378282246310005'])
    expect(checkCard(filledCard(number, TODAY), TODAY)).toEqual({})
})
