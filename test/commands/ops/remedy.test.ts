import { describe, expect, test } from 'vitest'
import type { HttpRequest } from '../../../src/client/http/transport-port.ts'
import { jsonAnswer } from '../../support/run-pay.ts'
import { errorOf } from '../../support/run-result.ts'
import { lostOnShop } from './lost-refund.ts'
import { fieldsIn, ok } from './ops-bench.ts'
import { envelope } from '../../support/error-envelope.ts'

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
          resolution: `The payment shows an equal refund of ${at.replace('T', ' ')} UTC: yours or a colleague's, pay can't tell. Nothing was sent.`,
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

describe('a resend on a live profile', () => {
  const question =
    'The refund of 2.00 EUR is not on payment p1. Sending it again uses the same key: if the service knows it, that does nothing. Send it again on LIVE profile shop?'

  test('needs --yes without a terminal: exit 2, and nothing is sent', async () => {
    const { bench, shop, id } = await lostOnShop()
    const refused = await bench.runPay(`ops resolve ${id} --json`, { service: shop.answer })
    expect(refused).toMatchObject({ exitCode: 2, stdout: '' })
    expect(refused.requests.map(({ method }) => method)).toEqual(['GET'])
    expect(errorOf(refused)).toMatchObject({
      code: 'confirmation_needed',
      operationId: id,
      outcome: 'unknown',
      message: expect.stringContaining('pay must send payment.refund of 2.00 EUR on p1 again'),
    })
    expect(await bench.operation(id)).toMatchObject({ state: 'in-doubt' })
    expect(shop.refunds.size).toBe(0)
  })

  test('with --all exits 10, and each operation says that it needs --yes', async () => {
    const { bench, shop } = await lostOnShop()
    const ran = await bench.runPay('ops resolve --all --json', { service: shop.answer })
    expect(ran.exitCode).toBe(10)
    expect(fieldsIn(ran.stdout)).toMatchObject([
      { state: 'in-doubt', resolution: expect.stringContaining('needs --yes') },
    ])
    expect(errorOf(ran).hint).toContain('--yes')
    expect(shop.refunds.size).toBe(0)
  })

  test('with --yes uses the same key', async () => {
    const { bench, shop, id } = await lostOnShop()
    const { idempotencyKey } = await bench.operation(id)
    await ok(bench.runPay(`ops resolve ${id} --yes`, { service: shop.answer }))
    expect([...shop.refunds.keys()]).toEqual([`p1 ${String(idempotencyKey)}`])
    expect(await bench.operation(id)).toMatchObject({ state: 'confirmed' })
  })

  test('on a terminal asks and names what is sent again', async () => {
    const { bench, shop, id } = await lostOnShop()
    const no = await bench.runPay(`ops resolve ${id}`, {
      service: shop.answer,
      answers: { [question]: false },
    })
    expect(no).toMatchObject({ exitCode: 2, stdout: '' })
    expect(no.stderr).toContain('Not confirmed: nothing was sent')
    expect(shop.refunds.size).toBe(0)
    await ok(bench.runPay('ops resolve --all', { service: shop.answer, answers: { [question]: true } }))
    expect(shop.refunds.size).toBe(1)
  })

  test('names the currency of the payment where the request had none', async () => {
    const { bench, shop, id } = await lostOnShop({ currency: '' })
    expect(await bench.operation(id)).toMatchObject({ currencyCode: 'EUR' })
    await ok(bench.runPay(`ops resolve ${id}`, { service: shop.answer, answers: { [question]: true } }))
    expect(shop.refunds.size).toBe(1)
  })

  test('is not asked about if a read settles it', async () => {
    const { bench, shop, id } = await lostOnShop()
    const gone = () => jsonAnswer(400, envelope('PaymentError'))
    // Its timeout plus five minutes.
    bench.clock.now = new Date(bench.clock.now.getTime() + 330_000 - 1)
    const early = await bench.runPay(`ops resolve ${id} --json`, { service: gone, tty: true })
    expect(early).toMatchObject({ exitCode: 10, stdout: '' })
    expect(errorOf(early).hint).toContain('ask again after 2026-03-01 12:05:30 UTC')
    bench.clock.now = new Date(bench.clock.now.getTime() + 1)
    const ran = await ok(bench.runPay(`ops resolve ${id} --json`, { service: gone, tty: true }))
    expect(fieldsIn(`[${ran.stdout}]`)).toMatchObject([
      { state: 'rejected', resolution: 'It was not done: the payment does not exist. Nothing was sent.' },
    ])
    expect(shop.refunds.size).toBe(0)
  })

  test('is not asked about on a test profile', async () => {
    const { bench, shop, id } = await lostOnShop({ mode: 'test' })
    await ok(bench.runPay(`ops resolve ${id}`, { service: shop.answer, tty: true }))
    expect(shop.refunds.size).toBe(1)
  })

  describe('a refund that the payment already shows', () => {
    const shows = (transactions: readonly object[]) => (request: HttpRequest) =>
      request.method === 'GET'
        ? jsonAnswer(200, {
            id: 'p1',
            status: 'SETTLED',
            currencyCode: 'EUR',
            processor: { amountCaptured: 1_000, amountRefunded: 200 },
            transactions,
          })
        : jsonAnswer(500, {})
    const one = shows([{ transactionType: 'REFUND', amount: 200, date: '2026-03-01T12:00:00' }])
    const shown =
      "The payment shows an equal refund of 2026-03-01 12:00:00 UTC: yours or a colleague's, pay can't tell. Nothing was sent."

    test.each(['', '--yes', '--all'])('is not sent, and counts as confirmed: %s', async (words) => {
      const { bench, id } = await lostOnShop()
      const which = words === '--all' ? words : `${id} ${words}`
      const ran = await ok(bench.runPay(`ops resolve ${which} --json`, { service: one }))
      expect(ran.requests.map(({ method }) => method)).toEqual(['GET'])
      expect(await bench.operation(id)).toMatchObject({ state: 'confirmed', exitCode: 0 })
      expect(ran.stdout).toContain(shown)
    })

    test('is not sent on a test profile either', async () => {
      for (const tty of [false, true]) {
        const { bench, shop, id } = await lostOnShop({ mode: 'test', drop: 'dropAfter' })
        const ran = await ok(bench.runPay(`ops resolve ${id}`, { service: shop.answer, tty }))
        expect(ran.requests.map(({ method }) => method)).toEqual(['GET'])
        expect(shop.refunds.size).toBe(1)
      }
    })
  })

  test('is asked about if the profile was changed to a test profile', async () => {
    const { bench, shop, id } = await lostOnShop()
    await ok(bench.runPay('profile set shop --test'))
    expect(await bench.runPay(`ops resolve ${id}`, { service: shop.answer })).toMatchObject({ exitCode: 2 })
  })

  test('has no second effect', async () => {
    const { bench, shop, id } = await lostOnShop({ drop: 'dropAfter' })
    expect(shop.refunds.size).toBe(1)
    await ok(bench.runPay(`ops resolve ${id} --yes`, { service: shop.answer }))
    expect(shop.refunds.size).toBe(1)
  })
})

test('a resend obeys the limits of the profile', async () => {
  const { bench, shop, id } = await lostOnShop({ mode: 'test' })
  await ok(bench.runPay('profile set shop --read-only'))
  const ran = await bench.runPay(`ops resolve ${id} --json`, { service: shop.answer })
  expect(ran).toMatchObject({ exitCode: 12, stdout: '' })
  expect(errorOf(ran).message).toContain('read-only')
  expect(shop.refunds.size).toBe(0)
  expect(await bench.operation(id)).toMatchObject({ state: 'in-doubt' })
})
