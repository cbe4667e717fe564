import { describe, expect, test } from 'vitest'
import type { HttpRequest } from '../../../src/client/http/transport-port.ts'
import { envelope } from '../../support/error-envelope.ts'
import { jsonAnswer } from '../../support/run-pay.ts'
import { errorOf } from '../../support/run-result.ts'
import { lostOnShop } from './lost-refund.ts'
import { fieldsIn, ok } from './ops-bench.ts'

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

  test('names the currency of the payment where the write had none', async () => {
    const { bench, shop, id } = await lostOnShop({ currency: '' })
    expect(await bench.operation(id)).toMatchObject({ currencyCode: null })
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
      {
        state: 'rejected',
        resolution: 'It was not done: the payment does not exist. Nothing was sent.',
      },
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
      "The payment shows an equal refund of 2026-03-01T12:00:00: yours or a colleague's, pay can't tell. Nothing was sent."

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
