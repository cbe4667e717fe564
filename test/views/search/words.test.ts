import { describe, expect, test } from 'vitest'
import { plansOf } from '../../../src/views/search/query.ts'
import { describe as describeQuery, readWords } from '../../../src/views/search/words.ts'

const now = new Date('2026-11-25T12:00:00.000Z')
const read = (line: readonly string[], period?: { from: string | undefined; to: string | undefined }) =>
  readWords(line, { now, ...(period === undefined ? {} : { period }) })

const day = (date: string) => [{ kind: 'time', from: `${date}T00:00:00.000Z`, to: `${date}T23:59:59.999Z` }]
const since = (from: string) => [{ kind: 'time', from, to: undefined }]
const amount = (amountMinor: number, exponent: number, currencyCode?: string) => ({
  kind: 'amount',
  amountMinor,
  currencyCode,
  exponent,
})
const each = (value: string, ...kinds: readonly string[]) => kinds.map((kind) => ({ kind, value }))
const PERSON = ['id', 'order', 'customer', 'email', 'name', 'brand']
const EVERY_CURRENCY = (major: number) => [
  amount(major * 100, 2),
  amount(major, 0),
  amount(major * 1_000, 3),
  amount(major * 10_000, 4),
]

describe('the meanings of each word', () => {
  test.each<[words: string, shown: string, meanings: readonly object[]]>([
    ['aB3xY9kQ2', '"aB3xY9kQ2"', each('aB3xY9kQ2', 'id', 'order', 'customer', 'email', 'brand')],
    ['A-1042', '"A-1042"', each('A-1042', 'id', 'order', 'customer', 'email', 'brand')],
    ['moreau', '"moreau"', each('moreau', ...PERSON)],
    ['100234', '"100234"', [...each('100234', 'id', 'order', 'customer'), ...EVERY_CURRENCY(100_234)]],
    ['1171', '"1171"', [...each('1171', 'last4', 'id', 'order', 'customer'), ...EVERY_CURRENCY(1171)]],
    [
      '1002345',
      '"1002345"',
      [...each('1002345', 'id', 'order', 'customer', 'phone'), ...EVERY_CURRENCY(1_002_345)],
    ],
    ['+491512345', '"+491512345"', each('+491512345', 'order', 'customer', 'email', 'phone', 'brand')],
    ['phone:0151', 'phone 0151', each('0151', 'phone')],
    [
      '#1171',
      '"#1171"',
      each('#1171', 'order').concat(each('1171', 'order'), each('#1171', 'customer', 'email', 'brand')),
    ],
    ['canceled', 'status CANCELLED', [{ kind: 'status', values: ['CANCELLED'] }]],
    ['euros', 'currency EUR', each('EUR', 'currency')],
    ['20.11.2026', 'from 2026-11-20', day('2026-11-20')],
    ['11/20/2026', 'from 2026-11-20', day('2026-11-20')],
    ['2026/11/5', 'from 2026-11-05', day('2026-11-05')],
    ['order:2026-02-30', 'order 2026-02-30', each('2026-02-30', 'order')],
    [
      'c1@example.com',
      'e-mail, customer or order c1@example.com',
      each('c1@example.com', 'email', 'customer', 'order'),
    ],
    ['c1@', 'e-mail, customer or order c1@', each('c1@', 'email', 'customer', 'order')],
    ['visa', 'brand, order or customer visa', each('visa', 'brand', 'order', 'customer')],
    ['settled', 'status SETTLED', [{ kind: 'status', values: ['SETTLED'] }]],
    ['Partially-Settled', 'status PARTIALLY_SETTLED', [{ kind: 'status', values: ['PARTIALLY_SETTLED'] }]],
    ['eur', 'currency EUR', each('EUR', 'currency')],
    ['today', 'from today', day('2026-11-25')],
    ['Yesterday', 'from yesterday', day('2026-11-24')],
    ['2026-11-20', 'from 2026-11-20', day('2026-11-20')],
    ['7d', 'since 2026-11-18 12:00', since('2026-11-18T12:00:00.000Z')],
    ['2026-11-20T10:00:00+01:00', 'since 2026-11-20 09:00', since('2026-11-20T09:00:00Z')],
    [
      '2026-11-16..2026-11-22',
      'from 2026-11-16 to 2026-11-22',
      [{ ...day('2026-11-16')[0], to: day('2026-11-22')[0]?.to }],
    ],
    ['2026-11-23..', 'since 2026-11-23 00:00', since('2026-11-23T00:00:00.000Z')],
    ['refund failed', 'state refund failed', [{ kind: 'refunds', values: ['failed'] }]],
    ['Partially refunded', 'state partially refunded', [{ kind: 'refunds', values: ['partial'] }]],
    ['order:refunded', 'order refunded', each('refunded', 'order')],
    ['order:today', 'order today', each('today', 'order')],
    ['order:4111111111111111', 'order 4111111111111111', each('4111111111111111', 'order')],
    ['Order: A 1 ', 'order A 1', each('A 1', 'order')],
    ['customer:c1@example.com', 'customer c1@example.com', each('c1@example.com', 'customer')],
    ['email:root', 'e-mail root', each('root', 'email')],
    ['name:mad', 'name mad', each('mad', 'name')],
    ['last4:4242', 'last four 4242', each('4242', 'last4')],
    ['amount:4990', 'amount 4990', EVERY_CURRENCY(4990)],
    ['amount:50 EUR', 'amount 50 EUR', [amount(5000, 2, 'EUR')]],
  ])('%s', (words, shown, meanings) => {
    expect(read([words]).query).toMatchObject({ words: [{ words: shown, meanings }] })
  })

  test.each<[words: string, shown: string, beside: object]>([
    ['refunded', 'state refunded or "refunded"', { kind: 'refunds', values: ['partial', 'full'] }],
    [
      'Captured',
      'state captured or "Captured"',
      { kind: 'status', values: ['SETTLING', 'PARTIALLY_SETTLED', 'SETTLED'] },
    ],
    [
      'October',
      'from 2026-10-01 to 2026-10-31 or "October"',
      { kind: 'time', from: '2026-10-01T00:00:00.000Z', to: '2026-10-31T23:59:59.999Z' },
    ],
    ['sunday', 'from 2026-11-22 or "sunday"', day('2026-11-22')[0] ?? {}],
  ])('%s is a state or a time, and may be a name or a part of an order', (words, shown, beside) => {
    expect(read([words]).query).toMatchObject({
      words: [{ words: shown, beside, meanings: each(words, ...PERSON) }],
      period: { from: undefined, to: undefined },
    })
  })

  test.each(['may', 'March', 'april', 'june', 'august', 'holiday'])('%s is no time', (word) => {
    expect(read([word]).query?.words).toMatchObject([{ words: `"${word}"`, meanings: each(word, ...PERSON) }])
    expect(read([word]).query?.words[0]?.beside).toBeUndefined()
  })

  test.each<[words: string, amounts: readonly object[]]>([
    ['208', EVERY_CURRENCY(208)],
    ['208.00', [amount(20_800, 2), amount(208_000, 3), amount(2_080_000, 4)]],
    ['208,00', [amount(20_800, 2), amount(208_000, 3), amount(2_080_000, 4)]],
    ['208,5', [amount(20_850, 2), amount(208_500, 3), amount(2_085_000, 4)]],
    ['€208', [amount(20_800, 2, 'EUR')]],
    ['208€', [amount(20_800, 2, 'EUR')]],
    ['$49.90', [amount(4990, 2), amount(49_900, 3), amount(499_000, 4)]],
    ['208 EUR', [amount(20_800, 2, 'EUR')]],
    ['208.00eur', [amount(20_800, 2, 'EUR')]],
    ['EUR 208', [amount(20_800, 2, 'EUR')]],
    ['700 JPY', [amount(700, 0, 'JPY')]],
    // Three decimals, or thousands.
    ['1.234 EUR', [amount(123_400, 2, 'EUR')]],
    ['1,234 KWD', [amount(1234, 3, 'KWD'), amount(1_234_000, 3, 'KWD')]],
    ['€12,360.27', [amount(1_236_027, 2, 'EUR')]],
    ['12.360,27€', [amount(1_236_027, 2, 'EUR')]],
    ["1'234.56 CHF", [amount(123_456, 2, 'CHF')]],
    ['208,-', [...EVERY_CURRENCY(208)]],
    ['49.999 EUR', [amount(4_999_900, 2, 'EUR')]],
    ['49.9999 EUR', []],
    ['700 XYZ', []],
    ['1.2.3', []],
    ['12345678901234', []],
  ])('%s as an amount', (words, amounts) => {
    const [word] = read([words]).query?.words ?? []
    expect(word?.meanings.filter(({ kind }) => kind === 'amount')).toEqual(amounts)
  })

  test.each<[words: string, asks: readonly string[]]>([
    ['4444', ['last4 4444', 'order 4444', 'customer 4444', 'amount 444400', 'amount 4444', 'amount 4444000']],
    ['a-1171', ['id a-1171', 'order a-1171', 'order A-1171', 'customer a-1171']],
    ['ada@example.com', ['email ada@example.com', 'customer ada@example.com']],
    ['ada@', []],
    ['visa', []],
    ['name:ada', []],
    ['208.00', ['amount 20800', 'amount 208000']],
  ])('%s: what the service is asked for', (words, asks) => {
    const [word] = read([words]).query?.words ?? []
    const shown = word?.asks.map(
      (one) => `${one.kind} ${'value' in one ? one.value : 'amountMinor' in one ? one.amountMinor : ''}`,
    )
    expect(shown).toEqual(asks)
  })

  test('many meanings of many words are not all asked for', () => {
    const { query } = read(['4444', '208', '1171'])
    expect(query === undefined ? 0 : plansOf(query).length).toBeLessThanOrEqual(12)
  })

  test('times leave what they have in common with the flags', () => {
    const { query } = read(['4242', 'yesterday', '20h'], { from: undefined, to: '2026-11-24T20:00:00.000Z' })
    expect(query?.period).toEqual({ from: '2026-11-24T16:00:00.000Z', to: '2026-11-24T20:00:00.000Z' })
    expect(query === undefined ? '' : describeQuery(query)).toBe(
      '"4242", from yesterday, since 2026-11-24 16:00, to 2026-11-24 20:00',
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
  [['amount:fifty'], 'bad_amount', /takes an amount, not "fifty"/],
  [['amount:700 XYZ'], 'bad_amount', /XYZ/],
  [['amount:49.9999 EUR'], 'bad_amount', /takes an amount/],
  [['amount:4111111111111111'], 'bad_amount', /^amount: takes an amount$/],
  [['2026-11-20T10:00:00'], 'bad_value', /no time zone/],
  [['2026-02-30'], 'bad_value', /there is no day/],
  [['30.02.2026'], 'bad_value', /there is no day/],
  [['05/11/2026'], 'bad_value', /2026-11-05 or 2026-05-11/],
  [['00/05/2026'], 'bad_value', /there is no day 2026-05-00/],
  [['settled', 'declined'], 'bad_value', /one status/],
  [['EUR', 'USD'], 'bad_value', /one currency/],
  [['49.90 EUR', 'USD'], 'bad_value', /one currency/],
  [['last4:4242', 'last4:1111'], 'bad_value', /one card/],
  [['today', 'yesterday'], 'bad_value', /no moment in common/],
  [['last', 'week', 'today'], 'bad_value', /no moment in common/],
  [['2026-11-31..'], 'bad_value', /there is no day/],
])('%j is refused', (line, code, message) => {
  const { problem } = read(line)
  expect(problem?.code).toBe(code)
  expect(problem?.message).toMatch(message)
  expect(JSON.stringify([problem?.message, problem?.details])).not.toContain('111111')
})
