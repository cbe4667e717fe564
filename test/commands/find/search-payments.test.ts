import { describe, expect, test } from 'vitest'
import { EXIT, PayError } from '../../../src/errors.ts'
import type { SearchOptions } from '../../../src/commands/find/search-payments.ts'
import { NOW, answerOf, many, payment, serviceWith } from './payment-service.ts'

describe('a service that ignores every filter', () => {
  const payments = [
    ...many(4),
    payment(4, { last4: '4242', amount: 4990, status: 'DECLINED' }),
    payment(5, { orderId: '4242', currencyCode: 'USD' }),
    payment(6, { amount: 4990, currencyCode: 'JPY', customerId: 'c-1' }),
  ]
  test.each<[line: string, ids: readonly string[], ignored: readonly string[]]>([
    ['A-1', ['p1'], ['order_id']],
    ['p1', ['p1'], []],
    ['order:p1', [], ['order_id']],
    ['4242', ['p4', 'p5'], ['last_4_digits', 'order_id']],
    ['last4:4242', ['p4'], ['last_4_digits']],
    ['49.90', ['p4'], ['min_amount']],
    ['amount:500', [], ['max_amount']],
    ['amount:4990', ['p4', 'p6'], ['min_amount']],
    ['49.90 EUR', ['p4'], ['min_amount', 'currency_code']],
    ['4990 JPY', [], ['last_4_digits', 'order_id', 'currency_code']],
    ['amount:4990 JPY', ['p6'], ['min_amount', 'currency_code']],
    ['usd', ['p5'], ['currency_code']],
    ['declined', ['p4'], ['status']],
    ['customer:c-1', ['p1', 'p6'], ['customer_id']],
    ['3h', ['p0', 'p1', 'p2', 'p3'], ['from_date']],
    ['yesterday', [], ['to_date']],
    ['c2@example.com', ['p2'], ['customer_email_address']],
    ['C2@', ['p2'], []],
    ['C2@example.com settled', ['p2'], ['customer_email_address']],
  ])('%s: each row is checked here', async (line, ids, ignored) => {
    const found = await serviceWith(payments).find(line)
    expect(found.ids).toEqual(ids)
    expect(found.ignored).toEqual(expect.arrayContaining([...ignored]))
    expect(found.ignored.length > 0).toBe(ignored.length > 0)
  })
})

test('a payment whose date cannot be read is of no day', async () => {
  const found = await serviceWith([payment(1), payment(2, { date: 'soon' })]).find('today')
  expect(found.ids).toEqual(['p1'])
})

describe('a service that filters', () => {
  const service = (payments = many(150)) => serviceWith(payments, { ignores: () => false })
  test('is asked for each meaning of the words, and its rows are all there is to check', async () => {
    const { find, calls } = service([
      payment(1, { last4: '4242' }),
      payment(2, { orderId: '4242' }),
      payment(3),
    ])
    expect(await find('4242 eur')).toMatchObject({ ids: ['p1', 'p2'], ignored: [], more: false, checked: 2 })
    expect(calls).toEqual([
      'list {"last_4_digits":"4242","currency_code":"EUR"}',
      'list {"order_id":"4242","currency_code":"EUR"}',
    ])
  })
  test('reads a payment ID directly, and asks for the order if there is none', async () => {
    const { find, calls } = service()
    expect(await find('p7')).toMatchObject({ ids: ['p7'], sent: [] })
    expect(await find('p7 declined')).toMatchObject({ ids: [] })
    expect(await find('A-9')).toMatchObject({ ids: ['p9'], sent: [{ order_id: 'A-9' }] })
    expect(calls).toEqual([
      'get p7',
      'get p7',
      'list {"order_id":"p7","status":"DECLINED"}',
      'get A-9',
      'list {"order_id":"A-9"}',
    ])
  })
  test('is asked for as many as are wanted, newest first', async () => {
    const { find, calls } = service()
    expect(await find('eur', { limit: 2 })).toMatchObject({ ids: ['p0', 'p1'], more: true })
    expect((await find('eur', { limit: 120 })).ids).toHaveLength(120)
    expect((await find('', { limit: 1 })).ids).toEqual(['p0'])
    expect(calls).toHaveLength(4)
  })
})

describe('an e-mail', () => {
  const ofOne = many(30).map((row) => ({ ...row, email: 'a@example.com' }))
  test('is looked for in the first 20 payments that fit otherwise', async () => {
    const { find, calls } = serviceWith(many(30))
    expect(await find('c25@example.com')).toMatchObject({ ids: [], readInFull: 20, unread: 10 })
    expect(calls.filter((call) => call.startsWith('get'))).toHaveLength(20)
    expect(await find('c25@example.com amount:1025')).toMatchObject({
      ids: ['p25'],
      readInFull: 1,
      unread: 0,
    })
  })
  test('is not looked for by a wide search', async () => {
    const { find, calls } = serviceWith(ofOne)
    expect(await find('a@example.com', { wide: true })).toMatchObject({ reached: undefined, unread: 10 })
    expect(calls.filter((call) => call.startsWith('list'))).toHaveLength(1)
  })
  test('of a payment that is gone meanwhile is skipped', async () => {
    const service = serviceWith(ofOne.slice(0, 2))
    const read: SearchOptions['read'] = async (call) => {
      if (call.params['id'] !== undefined) throw new PayError('payment_not_found', EXIT.notFound, 'Gone')
      return service.read(call)
    }
    expect(await service.find('a@example.com', { read })).toMatchObject({ ids: [] })
  })
  test('a row without a method is read in full for its last four', async () => {
    const payments = [payment(1, { last4: '' }), payment(2)]
    expect(await serviceWith(payments).find('last4:1111')).toMatchObject({ ids: ['p2'], readInFull: 1 })
  })
})

describe('a wide search', () => {
  test('looks through the newest 1,000 payments', async () => {
    const { find, calls } = serviceWith([...many(1_000), payment(1_000, { last4: '4242' })])
    expect(await find('last4:4242')).toMatchObject({ ids: [], more: true, reached: undefined, checked: 100 })
    expect(calls).toHaveLength(1)
    expect(await find('last4:4242', { wide: true })).toMatchObject({
      ids: [],
      more: true,
      checked: 1_000,
      back: payment(999).date,
      reached: { rows: 1_000, end: 'rows' },
    })
    expect(calls.slice(1)).toEqual([
      'list {"last_4_digits":"4242"}',
      ...Array.from({ length: 10 }, (_, page) => (page === 0 ? 'list {}' : `list {} ${page * 100}`)),
    ])
  })
  test.each<[count: number, line: string, limit: number, reached: object, more: boolean]>([
    [250, 'last4:1111', 100, { rows: 200, end: 'limit' }, true],
    [150, 'last4:4242', 100, { rows: 150, end: 'all' }, false],
    [150, 'last4:4242 3h', 100, { rows: 150, end: 'all' }, false],
  ])('of %i payments for %s ends', async (count, line, limit, reached, more) => {
    const found = await serviceWith(many(count)).find(line, { limit, wide: true })
    expect(found.more).toBe(more)
    expect(found.reached).toMatchObject(reached)
  })
  test('ends after 10 seconds', async () => {
    const slow = serviceWith(many(1_000), { msPerRead: 4_000 })
    expect(await slow.find('last4:4242', { wide: true })).toMatchObject({
      more: true,
      reached: { rows: 300, end: 'time' },
    })
  })
  test('ends when its last page takes too long, and keeps what it found', async () => {
    const service = serviceWith(many(500))
    const patience: unknown[] = []
    const read: SearchOptions['read'] = async (call) => {
      patience.push(call.patience)
      if (call.query?.['cursor'] === '100') {
        service.clock.now = new Date(NOW.getTime() + 10_000)
        throw new PayError('timeout', EXIT.serverFault, 'No answer')
      }
      return service.read(call)
    }
    expect(await service.find('amount:1007', { read, wide: true })).toMatchObject({
      ids: ['p7'],
      reached: { rows: 100, end: 'time' },
    })
    const limited = { timeoutMs: 10_000, maxRetries: 0 }
    expect(patience).toEqual([undefined, limited, limited])
  })
  test('does not look on once the ID has led to a payment', async () => {
    const { find, calls } = serviceWith(many(3))
    expect(await find('p1', { wide: true })).toMatchObject({ ids: ['p1'], reached: undefined })
    expect(calls).toEqual(['get p1'])
  })
})

describe('ends with an error', () => {
  test.each<[what: string, read: SearchOptions['read'], code: string]>([
    ['a refused key', async () => Promise.reject(new PayError('refused', EXIT.auth, 'No')), 'refused'],
    ['no list', async () => answerOf({}), 'unusable_answer'],
    ['a repeated page', async () => answerOf({ data: [{ id: 'x' }], nextCursor: 'a' }), 'unusable_answer'],
  ])('%s', async (_, read, code) => {
    await expect(serviceWith([]).find('eur', { read, limit: 500 })).rejects.toMatchObject({ code })
  })
  test('a cancelled search sends nothing more', async () => {
    const { find, calls } = serviceWith(many(3))
    const stop = new AbortController()
    const ended = find('4242', { signal: stop.signal })
    stop.abort(new Error('typed on'))
    await expect(ended).rejects.toThrow('typed on')
    expect(calls).toHaveLength(1)
  })
})
