import { describe, expect, test } from 'vitest'
import { buildIntent } from '../../../src/client/calls/build-intent.ts'
import type { Write } from '../../../src/client/ledger/port.ts'
import { callOf } from '../../support/client-bench.ts'
import type { WriteId } from '../../support/simulated-service.ts'
import { AGAIN, DONE, ONCE, ORDER, REFUND, REFUSED, UNKNOWN, createLedgerBench } from './ledger-bench.ts'

/** The intent that the pipeline builds with this API key. */
const intentWith = (apiKey: string, id: WriteId): Write =>
  buildIntent(
    { baseUrl: 'https://api.example.com', apiKey, profile: 'shop', mode: 'live', apiVersion: '2.1' },
    callOf(id),
    `of ${apiKey}`,
    undefined,
  )

const ON_PAYMENTS: readonly WriteId[] = [
  'payment.authorize',
  'payment.capture',
  'payment.refund',
  'payment.adjust',
  'payment.resume',
  'payment.cancel',
]

describe('a second API key of the same account', () => {
  test.each(ON_PAYMENTS)('is blocked by a write in doubt on the payment: %s', async (id) => {
    const bench = createLedgerBench()
    const first = await bench.process().ledger.begin(intentWith('key-a', id), ONCE)
    const second = intentWith('key-b', id)
    await expect(bench.process().ledger.begin(second, AGAIN)).rejects.toMatchObject({ code: 'in_progress' })
    await first.settle(UNKNOWN)
    await expect(bench.process().ledger.begin(second, AGAIN)).rejects.toMatchObject({ code: 'open_intent' })
  })

  test.each(ON_PAYMENTS)('is refused a write that was just done to the payment: %s', async (id) => {
    const bench = createLedgerBench()
    await (await bench.process().ledger.begin(intentWith('key-a', id), ONCE)).settle(DONE)
    await expect(bench.process().ledger.begin(intentWith('key-b', id), ONCE)).rejects.toMatchObject({
      code: 'duplicate',
    })
  })

  test("counts as another service's at another base URL", async () => {
    const bench = createLedgerBench()
    await bench.process().ledger.begin(REFUND, ONCE)
    const other = { ...REFUND, baseUrl: 'https://other.example.com', account: 'account-2' }
    await bench.process().ledger.begin(other, ONCE)
  })
})

describe('a target that the merchant names', () => {
  const elsewhere: Write = { ...ORDER, apiKeyId: 'account-2' }

  test.each<WriteId>(['payment.create', 'observability.push', 'loyalty.create'])(
    'belongs to one API key, with a warning when the other key has an open write: %s',
    async (id) => {
      const bench = createLedgerBench()
      const first = await bench.process().ledger.begin(intentWith('key-a', id), ONCE)
      expect(first.warning).toBeUndefined()
      const second = await bench.process().ledger.begin(intentWith('key-b', id), ONCE)
      expect(second.warning).toContain(`pay ops show ${first.id}`)
      expect(second.warning).toContain('With another API key')
    },
  )

  test('causes the warning for a write in doubt too', async () => {
    const bench = createLedgerBench()
    const first = await bench.process().ledger.begin(ORDER, ONCE)
    await first.settle(UNKNOWN)
    expect((await bench.process().ledger.begin(elsewhere, ONCE)).warning).toBe(
      `With another API key, a payment of 5.00 EUR on order A-1 was started less than a minute ago by ana and has not ended (pay ops show ${first.id}). If both keys belong to one account, it may have been done twice.`,
    )
  })

  test.each([
    ['has ended', ORDER, DONE],
    ['was refused', ORDER, REFUSED],
    ['is of another name', { ...ORDER, target: { kind: 'order', name: 'A-2' } }, UNKNOWN],
    ['is of another kind', { ...ORDER, target: { kind: 'points', name: 'A-1' } }, UNKNOWN],
    ['is at another address', { ...ORDER, baseUrl: 'https://other.example.com' }, UNKNOWN],
  ] as const)('causes no warning when the other write %s', async (_, other, settlement) => {
    const bench = createLedgerBench()
    await (await bench.process().ledger.begin(other, ONCE)).settle(settlement)
    expect((await bench.process().ledger.begin(elsewhere, ONCE)).warning).toBeUndefined()
  })
})
