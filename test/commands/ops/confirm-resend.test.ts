import { describe, expect, test } from 'vitest'
import type { HttpRequest } from '../../../src/http/transport-port.ts'
import { envelope } from '../../support/error-envelope.ts'
import { jsonAnswer } from '../../support/run-pay.ts'
import { errorOf } from '../../support/run-result.ts'
import { lostOnShop } from './lost-refund.ts'
import { fieldsIn, ok } from './ops-bench.ts'

describe('a resend on a live profile', () => {
  const question =
    "The refund of 2.00 EUR is not on payment p1. Sending it again with the same key can't refund twice. Send it again on LIVE profile shop?"

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
    bench.clock.now = new Date(bench.clock.now.getTime() + 5 * 60_000)
    const ran = await ok(bench.runPay(`ops resolve ${id} --json`, { service: gone, tty: true }))
    expect(fieldsIn(`[${ran.stdout}]`)).toMatchObject([
      { state: 'rejected', resolution: 'The payment does not exist, so nothing was done.' },
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
    const two = shows([
      { transactionType: 'REFUND', amount: 200, date: '2026-03-01T12:00:00' },
      { transactionType: 'REFUND', amount: 200, date: '2026-03-01T12:00:01' },
    ])
    const advice =
      "The refund of 2.00 EUR may already be on payment p1. Sending it again with the same key can't refund twice."

    test('is sent again all the same: it may be the refund of a colleague', async () => {
      const { bench, shop, id } = await lostOnShop()
      const asked = `${advice} Send it again on LIVE profile shop?`
      const service = (request: HttpRequest) =>
        request.method === 'GET' ? one(request) : shop.answer(request)
      await ok(bench.runPay(`ops resolve ${id}`, { service, answers: { [asked]: true } }))
      expect(shop.refunds.size).toBe(1)
      expect(await bench.operation(id)).toMatchObject({ state: 'confirmed', exitCode: 0 })
    })

    test('possibly is mentioned in the question on a live profile', async () => {
      const { bench, id } = await lostOnShop()
      const asked = `${advice} Send it again on LIVE profile shop?`
      const no = await bench.runPay(`ops resolve ${id}`, { service: two, answers: { [asked]: false } })
      expect(no).toMatchObject({ exitCode: 2, requests: [{ method: 'GET' }] })
    })

    test('possibly is resent without a question on a test profile', async () => {
      for (const more of [
        { words: '', tty: false },
        { words: '', tty: true },
      ]) {
        const { bench, shop, id } = await lostOnShop({ mode: 'test', drop: 'dropAfter' })
        await ok(bench.runPay(`ops resolve ${id} ${more.words}`, { service: shop.answer, tty: more.tty }))
      }
    })

    test('possibly is mentioned in the hint to a script on a live profile', async () => {
      const { bench, id } = await lostOnShop()
      const refused = await bench.runPay(`ops resolve ${id} --json`, { service: two })
      expect(refused).toMatchObject({ exitCode: 2, requests: [{ method: 'GET' }] })
      expect(errorOf(refused).hint).toBe(`${advice} Add --yes to send it.`)
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
