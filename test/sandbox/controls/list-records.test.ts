import { describe, expect, test } from 'vitest'
import { at, createPayment, openService, refusal, textAt, loggedIn } from '../service.ts'
import type { Service } from '../service.ts'
import { control } from './call-control.ts'
import { idsOf, listRecords, pushRecord } from './record-lists.ts'

describe('the list of records', () => {
  test('has payments and external records in one order, newest first', async () => {
    const service = await openService()
    const payment = await createPayment(service, 'tok_visa', { customerId: 'customer-1' })
    const id = textAt(payment, 'id')
    await service.ok('POST', `/payments/${id}/capture`)
    await service.ok('POST', `/payments/${id}/refund`, { amount: 300 })
    await pushRecord(service, 'older', '2001-01-31T09:30:00Z', { status: 'SETTLED' })
    await pushRecord(service, 'newer', '2099-01-31T09:30:00.5Z')
    expect(await listRecords(service)).toEqual({
      total: 3,
      newer: 0,
      first: '2099-01-31T09:30:00.500000 3',
      data: [
        expect.objectContaining({ id: 'newer', source: 'external', date: '2099-01-31T09:30:00.500000' }),
        {
          id,
          source: 'payments',
          orderId: 'order-1',
          customerId: 'customer-1',
          status: 'SETTLED',
          amount: 1000,
          amountAuthorized: 1000,
          amountCaptured: 1000,
          amountRefunded: 300,
          currencyCode: 'EUR',
          method: 'PAYMENT_CARD',
          network: 'VISA',
          last4Digits: expect.stringMatching(/^\d{4}$/),
          processor: 'SANDBOX_ALPHA',
          date: textAt(payment, 'date'),
        },
        {
          id: 'older',
          source: 'external',
          orderId: 'order-9',
          status: 'SETTLED',
          amount: 700,
          amountCaptured: null,
          amountRefunded: null,
          currencyCode: 'EUR',
          method: 'PAYMENT_CARD',
          processor: 'ACME',
          date: '2001-01-31T09:30:00.000000',
        },
      ],
    })
  })

  test('is filtered by what became of refunds, and marks one that failed', async () => {
    const service = await openService()
    const make = async (token: string, ...refunds: readonly (number | undefined)[]) => {
      const id = textAt(await createPayment(service, token), 'id')
      await service.ok('POST', `/payments/${id}/capture`)
      for (const amount of refunds)
        await service.ok('POST', `/payments/${id}/refund`, amount === undefined ? {} : { amount })
      return id
    }
    const failed = await make('tok_refund_fails', 400)
    await control(service, 'POST', '/sandbox/clock/advance', { duration: '7d' })
    const part = await make('tok_visa', 300)
    const all = await make('tok_visa', 300, 700)
    const none = await make('tok_visa')
    const found = async (refunds: string) => idsOf(service, `?refunds=${refunds}`)
    expect(await found('none')).toEqual([none, failed])
    expect(await found('partial')).toEqual([part])
    expect(await found('full')).toEqual([all])
    expect(await found('pending')).toEqual([all, part])
    expect(await found('failed')).toEqual([failed])
    expect((await listRecords(service, '?refunds=none'))['data']).toMatchObject([
      { id: none },
      { id: failed, hasFailedRefund: true },
    ])
  })

  test('is empty in an empty sandbox', async () => {
    expect(await listRecords(await openService())).toEqual({ total: 0, newer: 0, data: [] })
  })
})

describe('a window of the list', () => {
  const TIMES = [1, 2, 3, 4, 5, 6]
  async function openWithRecords(): Promise<Service> {
    const service = await openService()
    for (const second of TIMES)
      await pushRecord(service, `r${second}`, `2026-01-01T00:00:0${second}Z`, { status: 'SETTLED' })
    return service
  }

  test.each([
    ['', ['r6', 'r5', 'r4', 'r3', 'r2', 'r1']],
    ['?limit=2', ['r6', 'r5']],
    ['?offset=4', ['r2', 'r1']],
    ['?offset=2&limit=2', ['r4', 'r3']],
    ['?offset=6', []],
    ['?limit=0', []],
    // Filters that have no index find the same places.
    ['?offset=2&limit=2&status=SETTLED', ['r4', 'r3']],
    ['?offset=6&status=SETTLED', []],
  ])('%s', async (query, ids) => {
    const service = await openWithRecords()
    expect(await idsOf(service, query)).toEqual(ids)
    expect(await listRecords(service, query)).toMatchObject({ total: 6 })
  })

  test.each(['', '&status=SETTLED'])('stays where it is while records arrive %s', async (filter) => {
    const service = await openWithRecords()
    const { first } = await listRecords(service, `?${filter}`)
    await pushRecord(service, 'r7', '2026-01-01T00:00:07Z', { status: 'SETTLED' })
    await createPayment(service, 'tok_autocapture')
    const query = `?start=${encodeURIComponent(String(first))}${filter}`
    expect(await listRecords(service, query)).toMatchObject({ total: 6, newer: 2 })
    expect(await idsOf(service, `${query}&limit=3`)).toEqual(['r6', 'r5', 'r4'])
    expect(await idsOf(service, `${query}&offset=4`)).toEqual(['r2', 'r1'])
    expect(await listRecords(service, `?${filter}`)).toMatchObject({ total: 8, newer: 0 })
  })

  test('puts the one that arrived later first if both have the same time', async () => {
    const service = await openService()
    const payment = await createPayment(service, 'tok_visa')
    await pushRecord(service, 'same', `${textAt(payment, 'date').slice(0, 23)}Z`)
    expect(await idsOf(service)).toEqual(['same', payment['id']])
    const startOf = async (offset: number) => {
      const { first } = await listRecords(service, `?offset=${offset}&limit=1`)
      return encodeURIComponent(String(first))
    }
    expect(await listRecords(service, `?start=${await startOf(1)}`)).toMatchObject({ total: 1, newer: 1 })
    expect(await listRecords(service, `?start=${await startOf(0)}`)).toMatchObject({ total: 2, newer: 0 })
  })

  test('shows at once what changed, by this process or another one', async () => {
    const service = await openService()
    const { id } = await createPayment(service, 'tok_visa')
    expect(await idsOf(service, '?status=AUTHORIZED')).toEqual([id])
    await service.ok('POST', `/payments/${String(id)}/cancel`)
    expect(await idsOf(service, '?status=AUTHORIZED')).toEqual([])
    expect(await idsOf(service, '?status=CANCELLED')).toEqual([id])
    const other = await openService(service.folder, 2)
    const { id: second } = await createPayment(other, 'tok_visa')
    expect(await idsOf(service, '?status=AUTHORIZED')).toEqual([second])
  })
})

describe('one record', () => {
  test('is a payment as the service shows it, and leaves no trace in the log', async () => {
    const service = await openService()
    const { id } = await createPayment(service, 'tok_3ds')
    const payment = await service.ok('GET', `/payments/${String(id)}`)
    const before = await loggedIn(service, 10)
    const answer = await control(service, 'GET', `/sandbox/record?id=${String(id)}`)
    expect(answer).toMatchObject({ status: 200, body: { source: 'payments' } })
    const shown = at(answer.body, 'payment')
    // Each client token has its own signature time.
    expect(shown).toMatchObject({ ...payment, requiredAction: expect.anything() })
    expect(await loggedIn(service, 10)).toEqual(before)
  })

  test('is an external record, with what the service adds', async () => {
    const service = await openService()
    await pushRecord(service, 'ext/1 ?', '2026-01-31T09:30:00Z')
    const { body } = await control(service, 'GET', `/sandbox/record?id=${encodeURIComponent('ext/1 ?')}`)
    expect(body).toMatchObject({
      source: 'external',
      record: { paymentId: 'ext/1 ?', amount: 700, processor: { merchantId: 'external-1' } },
    })
  })

  test('that is unknown, or has no ID, is refused', async () => {
    const service = await openService()
    const ask = (query: string) => control(service, 'GET', `/sandbox/record${query}`)
    expect(await ask('?id=nothing')).toMatchObject(refusal(404, 'EntityNotFound'))
    expect(await ask('')).toMatchObject(refusal(422, 'RequestValidationError'))
  })
})

test('a misspelt e-mail finds nothing, and what may be meant is named', async () => {
  const service = await openService()
  await createPayment(service, 'tok_visa', { customer: { emailAddress: 'ana.moreau@example.com' } })
  const near = { typed: 'ana.moreua@example.com', emails: ['ana.moreau@example.com'] }
  const search = '?search=ana.moreua@example.com'
  expect(await listRecords(service, search)).toMatchObject({ total: 0, data: [], near })
  expect(await listRecords(service, `${search}%20eur`)).toMatchObject({ total: 0, near })
  for (const other of ['%20declined', '%20yesterday', '&currency=USD', '&status=DECLINED'])
    expect(await listRecords(service, `${search}${other}`)).not.toHaveProperty('near')
  expect(await listRecords(service, '?search=ana.moreau@example.com')).not.toHaveProperty('near')
})
