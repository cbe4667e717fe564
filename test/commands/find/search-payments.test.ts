import { describe, expect, test } from 'vitest'
import { EXIT, PayError } from '../../../src/errors.ts'
import type { SearchOptions } from '../../../src/commands/find/search-payments.ts'
import { NOW, answerOf, many, payment, serviceWith } from './payment-service.ts'

describe('a service that ignores every filter', () => {
  const payments = [
    ...many(2),
    payment(2, { lastName: 'Moreau' }),
    payment(3),
    payment(4, { last4: '4242', amount: 4990, status: 'DECLINED' }),
    payment(5, { orderId: '4242', currencyCode: 'USD' }),
    payment(6, { amount: 4990, currencyCode: 'JPY', customerId: 'c-1' }),
  ]
  test.each<[line: string, ids: readonly string[], ignored: readonly string[]]>([
    ['A-1', ['p1'], ['order_id']],
    ['p1', ['p1'], []],
    ['order:p1', [], ['order_id']],
    ['a-1', ['p1'], ['order_id']],
    ['4242', ['p4', 'p5'], ['last_4_digits']],
    ['424', ['p5'], ['order_id']],
    ['last4:4242', ['p4'], ['last_4_digits']],
    ['49.90', ['p4'], ['min_amount']],
    ['amount:500', [], ['min_amount']],
    ['amount:5', [], ['max_amount']],
    ['amount:4990', ['p6'], ['min_amount']],
    ['amount:49,90', ['p4'], ['min_amount']],
    ['49.90 EUR', ['p4'], ['min_amount', 'currency_code']],
    ['4990 JPY', ['p6'], ['currency_code']],
    ['amount:4990 JPY', ['p6'], ['currency_code']],
    ['usd', ['p5'], ['currency_code']],
    ['declined', ['p4'], ['status']],
    ['customer:c-1', ['p1', 'p6'], ['customer_id']],
    ['3h', ['p0', 'p1', 'p2', 'p3'], ['from_date']],
    ['yesterday', [], ['to_date']],
    ['c2@example.com', ['p2'], ['customer_email_address']],
    ['C2@', ['p2'], []],
    ['c2@ex', ['p2'], []],
    ['name:moreau', ['p2'], []],
    ['MOREAU settled', ['p2'], ['order_id']],
    ['customer:c-', ['p0', 'p1', 'p2', 'p3', 'p4', 'p5', 'p6'], ['customer_id']],
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
      'list {"currency_code":"EUR","last_4_digits":"4242"}',
      'list {"currency_code":"EUR","order_id":"4242"}',
      'list {"currency_code":"EUR","customer_id":"4242"}',
      'list {"currency_code":"EUR","min_amount":"424200","max_amount":"424200"}',
    ])
  })
  test('reads a payment ID directly, and asks for the order and the customer if there is none', async () => {
    const { find, calls } = service()
    expect(await find('p7')).toMatchObject({ ids: ['p7'], sent: [] })
    expect(calls).toEqual(['get p7'])
    expect(await find('a-9')).toMatchObject({ ids: ['p9'], reached: undefined })
    expect(calls.slice(1)).toEqual([
      'get a-9',
      'list {"order_id":"a-9"}',
      'list {"order_id":"A-9"}',
      'list {"customer_id":"a-9"}',
    ])
  })
  test('has said all about a status, and nothing else is searched', async () => {
    const { find, calls } = service()
    expect(await find('declined')).toMatchObject({ ids: [], reached: undefined, more: false, checked: 0 })
    expect(calls).toEqual(['list {"status":"DECLINED"}'])
  })
  test('is searched by its lists where it finds no whole value, and every request is counted', async () => {
    const { find, calls } = service()
    expect(await find('order:14')).toMatchObject({
      ids: ['p14', 'p114', ...Array.from({ length: 10 }, (_, n) => `p${140 + n}`)],
      checked: 150,
      readInFull: 0,
      reached: { rows: 150, end: 'all' },
      more: false,
    })
    expect(calls).toEqual(['list {"order_id":"14"}', 'list {}', 'list {} 100'])
  })
  test('is asked for as many as are wanted, newest first', async () => {
    const { find, calls } = service()
    expect(await find('eur', { limit: 2 })).toMatchObject({ ids: ['p0', 'p1'], more: true })
    expect((await find('eur', { limit: 120 })).ids).toHaveLength(120)
    expect((await find('', { limit: 1 })).ids).toEqual(['p0'])
    expect(calls).toHaveLength(4)
  })
})

test('a part counts only if no payment has the word as a whole value', async () => {
  const parts = [payment(1, { orderId: 'A-208' }), payment(2, { customerId: 'c-208' }), payment(3)]
  expect((await serviceWith(parts).find('208')).ids).toEqual(['p1', 'p2'])
  expect((await serviceWith([...parts, payment(4, { amount: 20_800 })]).find('208')).ids).toEqual(['p4'])
  expect((await serviceWith([...parts, payment(4, { amount: 20_800 })]).find('order:208')).ids).toEqual([
    'p1',
  ])
  const declined = payment(4, { amount: 20_800, status: 'DECLINED' })
  expect((await serviceWith([...parts, declined]).find('208 settled')).ids).toEqual(['p1', 'p2'])
})

describe('an e-mail', () => {
  const ofOne = many(300).map((row) => ({ ...row, email: 'a@example.com' }))
  test.each<[wide: boolean, reads: number]>([
    [false, 200],
    [true, 300],
  ])('is looked for in payments read in full; wide: %s', async (wide, reads) => {
    const { find, calls } = serviceWith(ofOne)
    const found = await find('b@', { wide })
    expect(found).toMatchObject({
      ids: [],
      readInFull: reads,
      unread: 300 - reads,
      more: !wide,
      checked: 300,
    })
    expect(found.unreadSince).toBe(wide ? undefined : payment(200).date)
    expect(calls.filter((call) => call.startsWith('get'))).toHaveLength(reads)
    expect(calls.filter((call) => call.startsWith('list'))).toHaveLength(3)
  })
  test('is read in full until enough are found', async () => {
    const { find, calls } = serviceWith(ofOne)
    expect((await find('a@example.com', { limit: 10 })).ids).toHaveLength(10)
    expect(calls.filter((call) => call.startsWith('get')).length).toBeLessThan(20)
  })
  test('is not read in full while only lists may be asked', async () => {
    const { find, calls } = serviceWith(ofOne)
    expect(await find('moreau', { listsOnly: true })).toMatchObject({ ids: [], unread: 300, readInFull: 0 })
    expect(calls.filter((call) => call.startsWith('get'))).toEqual([])
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

describe('the newest payments', () => {
  const rest = (pages: number) =>
    Array.from({ length: pages }, (_, page) => (page === 0 ? 'list {}' : `list {} ${page * 100}`))
  test.each<[wide: boolean, pages: number]>([
    [false, 10],
    [true, 100],
  ])('are searched up to the most rows; wide: %s', async (wide, pages) => {
    const { find, calls } = serviceWith([...many(pages * 100), payment(pages * 100, { orderId: 'X-1' })])
    expect(await find('order:x-', { wide })).toMatchObject({
      ids: [],
      more: true,
      checked: pages * 100,
      back: payment(pages * 100 - 1).date,
      reached: { rows: pages * 100, end: 'rows' },
    })
    expect(calls).toEqual(['list {"order_id":"x-"}', ...rest(pages)])
  })
  test.each<[count: number, line: string, limit: number, reached: object, more: boolean]>([
    [250, 'payment-card', 100, { rows: 200, end: 'limit' }, true],
    [150, 'last4:4242', 100, { rows: 150, end: 'all' }, false],
    [150, 'last4:4242 3h', 100, { rows: 150, end: 'all' }, false],
  ])('of %i payments for %s ends', async (count, line, limit, reached, more) => {
    const found = await serviceWith(many(count)).find(line, { limit, wide: true })
    expect(found.more).toBe(more)
    expect(found.reached).toMatchObject(reached)
  })
  test.each<[wide: boolean, rows: number]>([
    [false, 300],
    [true, 3_000],
  ])('are searched until the time is up; wide: %s', async (wide, rows) => {
    const slow = serviceWith(many(5_000), { msPerRead: 4_000 })
    expect(await slow.find('order:x', { wide })).toMatchObject({ more: true, reached: { rows, end: 'time' } })
  })
  test.each<[retryAfter: string | undefined, reached: object, ids: readonly string[]]>([
    ['2', { rows: 250, end: 'all' }, ['p7', 'p207']],
    [undefined, { rows: 250, end: 'all' }, ['p7', 'p207']],
    ['60', { rows: 100, end: 'refused' }, ['p7']],
  ])('of a service that answers 429 with retry-after %s', async (retryAfter, reached, ids) => {
    const service = serviceWith(
      many(250).map((row, at) => (at % 200 === 7 ? { ...row, customerId: 'Shop-7' } : row)),
    )
    let refusals = 2
    const read: SearchOptions['read'] = async (call) => {
      if (call.query?.['cursor'] === undefined || (refusals -= 1) < 0) return service.read(call)
      throw new PayError('rate_limited', EXIT.rateLimited, 'Slow down', { retryAfter })
    }
    expect(await service.find('customer:shop', { read })).toMatchObject({ ids, reached })
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
    expect(await service.find('amount:10.07', { read })).toMatchObject({
      ids: ['p7'],
      reached: { rows: 100, end: 'time' },
    })
    const limited = { timeoutMs: 10_000, maxRetries: 0 }
    expect(patience).toEqual([undefined, undefined, limited, limited])
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

describe('a state', () => {
  const refund = (processorStatus: string) => [{ transactionType: 'REFUND', amount: 1, processorStatus }]
  const figures = (amountRefunded: number) => ({ processor: { amountCaptured: 1000, amountRefunded } })
  const payments = [
    payment(1, { ...figures(1000), transactions: refund('SETTLED') }),
    payment(2, { ...figures(400), transactions: refund('PENDING') }),
    payment(3, { ...figures(0), transactions: refund('FAILED') }),
    payment(4, figures(0)),
    payment(5, { ...figures(0), orderId: 'refunded' }),
    payment(6, { ...figures(0), orderId: 'A-refunded-6' }),
    payment(7, { ...figures(0), lastName: 'Refunded' }),
    payment(8, { status: 'DECLINED', processor: { amountCaptured: 0, amountRefunded: 0 } }),
  ]
  test.each<[line: string, ids: readonly string[], reads: readonly string[]]>([
    ['partly refunded', ['p2'], []],
    ['fully refunded', ['p1'], []],
    ['refund failed', ['p3'], ['p1', 'p2', 'p3', 'p4', 'p5', 'p6', 'p7']],
    ['pending refund', ['p2'], ['p1', 'p2']],
    ['order:refunded', ['p5'], []],
    ['refused', ['p8'], ['p1', 'p2', 'p3', 'p4', 'p5', 'p6', 'p7']],
    ['fully refunded settled 10.01', ['p1'], []],
  ])('%s', async (line, ids, reads) => {
    const { find, calls } = serviceWith(payments)
    expect((await find(line)).ids).toEqual(ids)
    const gets = calls.flatMap((call) => /^get (p\d)$/.exec(call)?.[1] ?? [])
    expect(gets).toEqual(reads)
  })
  test.each([true, false])(
    'hides no order and no name with its name; a service that ignores filters: %s',
    async (isIgnored) => {
      const { find } = serviceWith(payments, { ignores: () => isIgnored })
      // As before, a part counts only where no payment has the whole.
      expect((await find('refunded')).ids).toEqual(['p1', 'p2', 'p5', 'p7'])
      const parts = serviceWith(
        payments.filter(({ id }) => id !== 'p5' && id !== 'p7'),
        { ignores: () => isIgnored },
      )
      expect((await parts.find('refunded')).ids).toEqual(['p1', 'p2', 'p6'])
    },
  )
  test('that no row tells is not guessed', async () => {
    const { find } = serviceWith(payments)
    expect(await find('refund failed', { listsOnly: true })).toMatchObject({
      ids: [],
      unread: 7,
      readInFull: 0,
    })
    const bare = serviceWith(payments.map(({ processor: _, ...row }) => row))
    expect(await bare.find('partly refunded', { listsOnly: true })).toMatchObject({ ids: [], unread: 8 })
  })
})

describe('a month', () => {
  const dated = (n: number, date: string, orderId = `A-${n}`) =>
    payment(n, { date: `${date}T12:00:00.000Z`, orderId })
  const payments = [
    dated(1, '2026-11-20'),
    dated(2, '2026-10-31', 'SALE-OCTOBER'),
    dated(3, '2026-10-01'),
    dated(4, '2026-09-30', 'october'),
  ]
  test.each([true, false])(
    'hides no order with its name; a service that ignores filters: %s',
    async (isIgnored) => {
      const { find, calls } = serviceWith(payments, { ignores: () => isIgnored })
      expect((await find('october')).ids).toEqual(['p2', 'p3', 'p4'])
      expect(calls).toContain(
        'list {"from_date":"2026-10-01T00:00:00.000Z","to_date":"2026-10-31T23:59:59.999Z"}',
      )
      expect((await find('in october')).ids).toEqual(['p2', 'p3'])
      expect((await find('october september')).ids).toEqual(['p4'])
      expect((await find('october this week')).ids).toEqual([])
      // They have no day in common.
      expect(calls.filter((call) => /from_date":"2026-11.*to_date":"2026-10/.test(call))).toEqual([])
      expect((await find('since october')).ids).toEqual(['p1', 'p2', 'p3'])
    },
  )
})

describe('a misspelt e-mail', () => {
  const payments = [
    payment(1, { email: 'ana.moreau@example.com' }),
    payment(2, { email: 'ana.moreau@example.com', status: 'DECLINED' }),
    payment(3),
    payment(4, { email: 'ana.noreau@example.com' }),
  ]
  test('is offered where nothing is found, and never taken', async () => {
    const { find } = serviceWith(payments)
    const near = { typed: 'ana.moreua@example.com', emails: ['ana.moreau@example.com'] }
    expect(await find('ana.moreua@example.com')).toMatchObject({ ids: [], near })
    expect(await find('ana.moreua@example.com declined')).toMatchObject({ ids: [], near })
    expect(await find('ana.moreau@example.com')).toMatchObject({ ids: ['p1', 'p2'], near: undefined })
  })
  test('is not offered if no payment of it has the other words', async () => {
    const { find } = serviceWith(payments)
    expect(await find('ana.moreua@example.com authorized')).toMatchObject({ ids: [], near: undefined })
    expect(await find('ana.moreua@example.com', { listsOnly: true })).toMatchObject({ near: undefined })
  })
})
