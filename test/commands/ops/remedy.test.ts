import { describe, expect, test } from 'vitest'
import type { HttpRequest } from '../../../src/client/http/transport-port.ts'
import { jsonAnswer } from '../../support/run-pay.ts'
import { errorOf } from '../../support/run-result.ts'
import { lostOnShop } from './lost-refund.ts'
import { fieldsIn, ok } from './ops-bench.ts'

const HOUR_MS = 3_600_000

/** Lost at 12:00 and not performed; a colleague refunds the same amount later. */
async function repaired({ at = '2026-03-01T12:00:20', afterMs = HOUR_MS } = {}) {
  const lost = await lostOnShop({ mode: 'test' })
  lost.bench.clock.now = new Date(lost.bench.clock.now.getTime() + afterMs)
  const entry = { transactionType: 'REFUND', amount: 200, date: at, processorStatus: 'SETTLED' }
  const service = (request: HttpRequest) =>
    request.method === 'GET'
      ? jsonAnswer(200, {
          id: 'p1',
          status: 'SETTLED',
          currencyCode: 'EUR',
          processor: { amountCaptured: 1_000, amountRefunded: 200 * (1 + lost.shop.refunds.size) },
          transactions: Array.from({ length: 1 + lost.shop.refunds.size }, () => entry),
        })
      : lost.shop.answer(request)
  return { ...lost, service }
}

const questionFor = (_id: string) =>
  "An equal refund of 2.00 EUR is on payment p1: this one, or a colleague's. Sending this one as well may refund twice. Send it again?"

describe('a lost refund that a colleague has made', () => {
  test.each(['2026-03-01T12:00:20', '2026-03-01T11:00:00', '2026-03-01T12:59:59'])(
    'is never sent again, and confirmed by what the payment shows: %s',
    async (at) => {
      const { bench, shop, service, id } = await repaired({ at })
      const ran = await ok(bench.runPay(`ops resolve ${id} --json`, { service }))
      expect(shop.refunds.size).toBe(0)
      expect(fieldsIn(`[${ran.stdout}]`)).toMatchObject([
        {
          state: 'confirmed',
          resolution: `The payment shows an equal refund of ${at}: yours or a colleague's, pay can't tell. Nothing was sent.`,
        },
      ])
    },
  )

  test('confirms no second lost one', async () => {
    const { bench, shop, service, id, lose } = await repaired()
    await ok(bench.runPay(`ops resolve ${id}`, { service }))
    // Equal to the first, so it has to be wanted.
    const second = await lose('p1', '--profile shop --again')
    await ok(bench.runPay(`ops resolve ${second} --json`, { service }))
    expect(shop.refunds.size).toBe(1)
    expect(await bench.operation(second)).toMatchObject({ state: 'confirmed' })
  })
})

describe('--resend', () => {
  test('sends a write that the payment may show, once a person confirms it', async () => {
    const { bench, shop, service, id } = await repaired()
    const words = `ops resolve ${id} --resend`
    const no = await bench.runPay(words, { service, answers: { [questionFor(id)]: false } })
    expect(no.exitCode).toBe(2)
    expect(shop.refunds.size).toBe(0)
    await ok(bench.runPay(words, { service, answers: { [questionFor(id)]: true } }))
    expect(shop.refunds.size).toBe(1)
    expect(await bench.operation(id)).toMatchObject({ state: 'confirmed', exitCode: 0 })
  })

  test('sends one that was confirmed by what the payment shows, as a write of its own with the same key', async () => {
    const { bench, shop, service, id } = await repaired()
    await ok(bench.runPay(`ops resolve ${id}`, { service }))
    const { idempotencyKey } = await bench.operation(id)
    const words = `ops resolve ${id} --resend`
    const no = await bench.runPay(words, { service, answers: { [questionFor(id)]: false } })
    expect(no.exitCode).toBe(2)
    expect(shop.refunds.size).toBe(0)
    await ok(bench.runPay(words, { service, answers: { [questionFor(id)]: true } }))
    expect([...shop.refunds.keys()]).toEqual([`p1 ${String(idempotencyKey)}`])
    const states = (await bench.list('--operation payment.refund')).map(({ state }) => state)
    expect(states).toEqual(['confirmed', 'confirmed'])
  })

  test('refuses one that is more than 23 hours old', async () => {
    const { bench, shop, service, id } = await repaired()
    await ok(bench.runPay(`ops resolve ${id}`, { service }))
    bench.clock.now = new Date(bench.clock.now.getTime() + 23 * HOUR_MS)
    const ran = await bench.runPay(`ops resolve ${id} --resend`, { service, tty: true })
    expect(ran.exitCode).toBe(6)
    expect(ran.stderr).toContain('its idempotency key is too old')
    expect(shop.refunds.size).toBe(0)
  })

  test('is not answered by a script: --yes does not', async () => {
    for (const yes of ['', '--yes']) {
      const { bench, shop, service, id } = await repaired()
      const ran = await bench.runPay(`ops resolve ${id} --resend ${yes} --json`, { service })
      expect(ran).toMatchObject({ exitCode: 2, stdout: '' })
      expect(errorOf(ran)).toMatchObject({ code: 'confirmation_needed', outcome: 'unknown' })
      expect(shop.refunds.size).toBe(0)
    }
  })

  test('names one write', async () => {
    const { bench } = await repaired()
    const ran = await bench.runPay('ops resolve --all --resend --json')
    expect(ran).toMatchObject({ exitCode: 2, requests: [] })
    expect(errorOf(ran).message).toContain('--resend is for one write at a time')
  })
})
