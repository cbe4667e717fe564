import { describe, expect, test } from 'vitest'
import type { HttpRequest } from '../../../src/http/transport-port.ts'
import { jsonAnswer } from '../../support/run-pay.ts'
import { errorOf } from '../../support/run-result.ts'
import { lostOnShop } from './lost-refund.ts'
import { ok } from './ops-bench.ts'

describe('a refund that someone has probably made up for', () => {
  const AN_HOUR_LATER = new Date('2026-03-01T13:00:00.000Z')

  /** Lost at 12:00 and not performed; a colleague refunds the same amount at 12:30. */
  async function remedied() {
    const lost = await lostOnShop({ mode: 'test' })
    lost.bench.clock.now = AN_HOUR_LATER
    const entry = { transactionType: 'REFUND', amount: 200, date: '2026-03-01T12:30:00' }
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
  const questionFor = (id: string) =>
    `Payment p1 has an equal refund of 2026-03-01T12:30:00.000Z, probably made in place of this one. Sending this one as well may refund twice. If it was made in its place, run pay ops abandon ${id}. Send it again?`

  test.each(['', '--yes', '--all'])('stays in doubt, and nothing is sent: %s', async (words) => {
    const { bench, shop, service, id } = await remedied()
    const ran = await bench.runPay(`ops resolve ${words === '--all' ? words : `${id} ${words}`} --json`, {
      service,
    })
    expect(ran.exitCode).toBe(10)
    expect(shop.refunds.size).toBe(0)
    expect(await bench.operation(id)).toMatchObject({ state: 'in-doubt' })
    if (words === '') {
      expect(errorOf(ran).hint).toContain(`pay ops resolve ${id} --resend`)
      expect(errorOf(ran).hint).toContain('2026-03-01T12:30:00.000Z')
    }
  })

  test('is sent with --resend once a person confirms it', async () => {
    const { bench, shop, service, id } = await remedied()
    const words = `ops resolve ${id} --resend`
    const no = await bench.runPay(words, { service, answers: { [questionFor(id)]: false } })
    expect(no.exitCode).toBe(2)
    expect(shop.refunds.size).toBe(0)
    await ok(bench.runPay(words, { service, answers: { [questionFor(id)]: true } }))
    expect(shop.refunds.size).toBe(1)
    expect(await bench.operation(id)).toMatchObject({ state: 'confirmed', exitCode: 0 })
  })

  test('is not sent by a script: --yes does not answer for --resend', async () => {
    for (const yes of ['', '--yes']) {
      const { bench, shop, service, id } = await remedied()
      const ran = await bench.runPay(`ops resolve ${id} --resend ${yes} --json`, { service })
      expect(ran).toMatchObject({ exitCode: 2, stdout: '' })
      expect(errorOf(ran)).toMatchObject({ code: 'confirmation_needed', outcome: 'unknown' })
      expect(shop.refunds.size).toBe(0)
    }
  })

  test('--resend names one write', async () => {
    const { bench } = await remedied()
    const ran = await bench.runPay('ops resolve --all --resend --json')
    expect(ran).toMatchObject({ exitCode: 2, requests: [] })
    expect(errorOf(ran).message).toContain('--resend is for one write at a time')
  })
})
