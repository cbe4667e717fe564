import { describe, expect, test } from 'vitest'
import { describe as describeQuery, readWords } from '../../../src/views/search/words.ts'

const now = new Date('2026-11-25T12:00:00.000Z')
const read = (line: readonly string[], period?: { from: string | undefined; to: string | undefined }) =>
  readWords(line, { now, ...(period === undefined ? {} : { period }) })

const order = (value: string) => ({ kind: 'order', value })
const idOrOrder = (value: string) => [{ kind: 'id', value }, order(value)]
const last4OrOrder = (value: string) => [{ kind: 'last4', value }, order(value)]
const day = (date: string) => [{ kind: 'time', from: `${date}T00:00:00.000Z`, to: `${date}T23:59:59.999Z` }]
const since = (from: string) => [{ kind: 'time', from, to: undefined }]
const amount = (amountMinor: number, currencyCode?: string, exponent?: number) => ({
  kind: 'amount',
  amountMinor,
  currencyCode,
  exponent,
})

describe('the meaning of each word', () => {
  test.each<[words: string, shown: string, meanings: readonly object[]]>([
    ['aB3xY9kQ2', 'payment or order aB3xY9kQ2', idOrOrder('aB3xY9kQ2')],
    ['A-1042', 'payment or order A-1042', idOrOrder('A-1042')],
    ['100234', 'payment or order 100234', idOrOrder('100234')],
    ['shop/2026#7', 'order shop/2026#7', [order('shop/2026#7')]],
    ['order:2026-02-30', 'order 2026-02-30', [order('2026-02-30')]],
    ['c1@example.com', 'e-mail c1@example.com', [{ kind: 'email', value: 'c1@example.com' }]],
    ['4242', 'last four or order 4242', last4OrOrder('4242')],
    ['49.90', 'amount 49.90', [amount(4990, undefined, 2)]],
    ['49.9', 'amount 49.9', [amount(4990, undefined, 2)]],
    ['1.234', 'amount 1.234', [amount(1234, undefined, 3)]],
    ['49.90 EUR', 'amount 49.90 EUR', [amount(4990, 'EUR')]],
    ['49.90 eur', 'amount 49.90 EUR', [amount(4990, 'EUR')]],
    ['49.90EUR', 'amount 49.90 EUR', [amount(4990, 'EUR')]],
    ['50 EUR', 'amount 50 EUR', [amount(5000, 'EUR')]],
    ['4242 EUR', 'amount 4242 EUR', [amount(424_200, 'EUR')]],
    ['700 JPY', 'amount 700 JPY', [amount(700, 'JPY')]],
    ['settled', 'status SETTLED', [{ kind: 'status', values: ['SETTLED'] }]],
    ['Partially-Settled', 'status PARTIALLY_SETTLED', [{ kind: 'status', values: ['PARTIALLY_SETTLED'] }]],
    ['EUR', 'currency EUR', [{ kind: 'currency', value: 'EUR' }]],
    ['today', 'from today', day('2026-11-25')],
    ['Yesterday', 'from yesterday', day('2026-11-24')],
    ['2026-11-20', 'from 2026-11-20', day('2026-11-20')],
    ['7d', 'since 2026-11-18 12:00', since('2026-11-18T12:00:00.000Z')],
    ['2026-11-20T10:00:00+01:00', 'since 2026-11-20 09:00', since('2026-11-20T09:00:00Z')],
    ['order:today', 'order today', [order('today')]],
    ['order:4111111111111111', 'order 4111111111111111', [order('4111111111111111')]],
    ['Order: A 1 ', 'order A 1', [order('A 1')]],
    ['customer:c1@example.com', 'customer c1@example.com', [{ kind: 'customer', value: 'c1@example.com' }]],
    ['c1@', 'e-mail c1@', [{ kind: 'email', value: 'c1@' }]],
    ['email:root', 'e-mail root', [{ kind: 'email', value: 'root' }]],
    ['last4:4242', 'last four 4242', [{ kind: 'last4', value: '4242' }]],
    ['amount:4990', 'amount 4990 in minor units', [amount(4990)]],
    ['amount:49.90', 'amount 49.90', [amount(4990, undefined, 2)]],
    ['amount:50 EUR', 'amount 50 EUR', [amount(5000, 'EUR')]],
    // Fails the card check.
    ['4111111111111112', 'payment or order 4111111111111112', idOrOrder('4111111111111112')],
    // Passes it, but has 13 digits.
    ['4222222222222', 'payment or order 4222222222222', idOrOrder('4222222222222')],
    ['constructor', 'payment or order constructor', idOrOrder('constructor')],
  ])('%s', (words, shown, meanings) => {
    const { query } = read([words])
    expect(query).toMatchObject({ words: [{ words: shown, meanings }] })
  })

  test.each<[line: readonly string[], shown: string, meanings: readonly object[]]>([
    [['50', 'EUR'], 'amount 50 EUR', [amount(5000, 'EUR')]],
    [['49.90', 'eur', 'settled'], 'amount 49.90 EUR, status SETTLED', [amount(4990, 'EUR')]],
    [['4242', 'EUR'], 'last four or order 4242, currency EUR', last4OrOrder('4242')],
    [['KWD', '49.90'], 'currency KWD, amount 49.90 KWD', [amount(49_900, 'KWD')]],
    [['amount:4990', 'EUR'], 'amount 4990 in minor units, currency EUR', [amount(4990)]],
    [['A-1', 'A-1', ' '], 'payment or order A-1', idOrOrder('A-1')],
  ])('%j', (line, shown, meanings) => {
    const { query } = read(line)
    expect(query === undefined ? '' : describeQuery(query)).toBe(shown)
    expect(query?.words.flatMap((word) => word.meanings)).toEqual(
      expect.arrayContaining(meanings.map((meaning) => expect.objectContaining(meaning))),
    )
  })

  test('times leave what they have in common with the flags', () => {
    const { query } = read(['4242', 'yesterday', '20h'], { from: undefined, to: '2026-11-24T20:00:00.000Z' })
    expect(query?.period).toEqual({ from: '2026-11-24T16:00:00.000Z', to: '2026-11-24T20:00:00.000Z' })
    expect(query === undefined ? '' : describeQuery(query)).toBe(
      'last four or order 4242, from yesterday, since 2026-11-24 16:00, to 2026-11-24 20:00',
    )
  })

  test('times are described as local ones', () => {
    const { query } = readWords(['20h'], { now, timeZone: 'Asia/Tokyo' })
    expect(query?.words).toMatchObject([{ words: 'since 2026-11-25 01:00' }])
  })

  test('nothing fits every payment', () =>
    expect(read([]).query).toEqual({ words: [], period: { from: undefined, to: undefined } }))
})

test.each<[line: readonly string[], code: string, message: RegExp]>([
  [['4111111111111111'], 'card_number', /ending in 1111/],
  [['4111 1111 1111 1111'], 'card_number', /ending in 1111/],
  [['4111-1111-1111-1111'], 'card_number', /ending in 1111/],
  [['settled', '4111', '1111', '1111', '1111', 'today'], 'card_number', /ending in 1111/],
  [['378282246310005'], 'card_number', /ending in 0005/],
  [['last4:4111111111111111'], 'bad_value', /^last4: takes four digits$/],
  [['order:'], 'bad_value', /needs a value/],
  [['49,90'], 'bad_amount', /has a comma/],
  [['amount:fifty'], 'bad_amount', /is not an amount/],
  [['amount:700 XYZ'], 'unknown_currency', /XYZ/],
  [['49.999 EUR'], 'bad_amount', /too many decimals/],
  [['2026-11-20T10:00:00'], 'bad_value', /no time zone/],
  [['2026-02-30'], 'bad_value', /there is no day/],
  [['settled', 'declined'], 'bad_value', /one status/],
  [['EUR', 'USD'], 'bad_value', /one currency/],
  [['49.90 EUR', 'USD'], 'bad_value', /one currency/],
  [['order:A-1', 'order:A-2'], 'bad_value', /one order/],
  [['A-1', 'B-2', 'C-3'], 'bad_value', /one ID, one order/],
  [['a@example.com', 'b@example.com'], 'bad_value', /one e-mail/],
  [['today', 'yesterday'], 'bad_value', /no moment in common/],
])('%j is refused', (line, code, message) => {
  const { problem } = read(line)
  expect(problem?.code).toBe(code)
  expect(problem?.message).toMatch(message)
  expect(JSON.stringify([problem?.message, problem?.details])).not.toContain('111111')
})

test('a mistyped amount is answered with what the search reads as one', () => {
  const { hint } = read(['49,90 EUR']).problem?.details ?? {}
  expect(hint).toBe("Write 49.90 or '49.90 EUR'; amount:4990 is minor units.")
  expect(read(['49.90']).query?.words).toMatchObject([{ meanings: [amount(4990, undefined, 2)] }])
  expect(read(['amount:4990']).query?.words).toMatchObject([{ meanings: [amount(4990)] }])
})
