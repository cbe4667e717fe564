import { describe, expect, test } from 'vitest'
import { TransportFailure } from '../../../src/client/http/transport-port.ts'
import type { HttpRequest } from '../../../src/client/http/transport-port.ts'
import { jsonAnswer } from '../../support/run-pay.ts'
import { errorOf, writesOf } from '../../support/run-result.ts'
import { useBench } from '../../support/use-bench.ts'

/** The clock of a run begins at 12:00. */
const bench = useBench({ mode: 'live' })

const refund = (date: string | undefined, more: object = {}) => ({
  transactionType: 'REFUND',
  amount: 300,
  processorStatus: 'SETTLED',
  ...(date === undefined ? {} : { date }),
  ...more,
})

/** A service whose payment has these refunds, and those that are made. */
function shop(before: readonly object[], headers?: Readonly<Record<string, string>>) {
  const refunds = [...before]
  return ({ method }: HttpRequest) => {
    if (method !== 'GET') refunds.push(refund('2026-03-01T12:00:00.5'))
    return {
      ...jsonAnswer(200, {
        id: 'p1',
        status: 'SETTLED',
        currencyCode: 'EUR',
        processor: { amountCaptured: 1_000, amountRefunded: 300 * refunds.length },
        transactions: refunds,
      }),
      headers: headers ?? { date: bench.clock.now.toUTCString() },
    }
  }
}
const LINE = 'payment refund p1 --amount 300'

describe('a refund on a live profile, whose payment shows an equal one that the ledger does not know', () => {
  test.each([
    ['a minute ago', [refund('2026-03-01T11:59:00')]],
    ['nearly ten minutes ago', [refund('2026-03-01T11:50:01')]],
    ['without a date', [refund(undefined)]],
    [
      'with another name for its type',
      [refund('2026-03-01T11:59:00', { transactionType: undefined, type: 'REFUND' })],
    ],
    ['pending', [refund('2026-03-01T11:59:00', { processorStatus: 'PENDING' })]],
  ])('is refused in a script, and nothing is sent: %s', async (_, before) => {
    for (const more of ['', '--once T-1']) {
      const ran = await bench.runPay(`${LINE} --yes ${more} --json`, { service: shop(before) })
      expect(ran).toMatchObject({ exitCode: 6, stdout: '' })
      expect(errorOf(ran)).toMatchObject({
        code: 'duplicate',
        outcome: 'none',
        message: expect.stringContaining("that this ledger doesn't know"),
        hint: expect.stringContaining('--again'),
      })
      expect(writesOf(ran)).toEqual([])
    }
  })

  test.each([
    ['ten minutes ago', [refund('2026-03-01T11:50:00')]],
    ['of another amount', [refund('2026-03-01T11:59:00', { amount: 301 })]],
    ['that failed', [refund('2026-03-01T11:59:00', { processorStatus: 'FAILED' })]],
  ])('is sent in a script if that is one %s', async (_, before) => {
    const ran = await bench.runPay(`${LINE} --yes`, { service: shop(before) })
    expect(ran.exitCode).toBe(0)
    expect(writesOf(ran)).toHaveLength(1)
  })

  test('is sent with --again, without a look', async () => {
    const ran = await bench.runPay(`${LINE} --yes --again`, {
      service: shop([refund('2026-03-01T11:59:00')]),
    })
    expect(ran.exitCode).toBe(0)
    expect(ran.requests.map(({ method }) => method)).toEqual(['POST'])
  })

  test('counts each of its own once: a third needs --again for what it knows, not for what it does not', async () => {
    const service = shop([])
    expect((await bench.runPay(`${LINE} --yes`, { service })).exitCode).toBe(0)
    bench.clock.now = new Date(bench.clock.now.getTime() + 1)
    const own = await bench.runPay(`${LINE} --yes --json`, { service })
    expect(errorOf(own).hint).toBe('To do it again anyway, add --again.')
    expect(writesOf(own)).toEqual([])
  })

  test('is refused by any clock of the service where the answer tells none', async () => {
    const ran = await bench.runPay(`${LINE} --yes`, { service: shop([refund('2020-01-01T00:00:00')], {}) })
    expect(ran.exitCode).toBe(6)
  })

  test('may be one that was abandoned here: nobody else is blamed', async () => {
    const service = shop([])
    const losing = (request: HttpRequest) => {
      const answer = service(request)
      if (request.method !== 'GET') throw new TransportFailure('cut', true, 'the connection ended')
      return answer
    }
    const first = await bench.runPay(`${LINE} --yes --max-retries 0 --json`, { service: losing })
    const { operationId = '' } = errorOf(first)
    await bench.runPay(`ops abandon ${operationId} --yes`)
    const ran = await bench.runPay(`${LINE} --yes --json`, { service })
    expect(ran.exitCode).toBe(6)
    expect(errorOf(ran)).toMatchObject({
      message: expect.stringContaining('either the one that was abandoned here (sent '),
      hint: 'The abandoned write may have been done. To refund it again anyway, add --again.',
      next: [expect.stringContaining(operationId), expect.stringContaining('payment explain p1')],
    })
    expect(errorOf(ran).message).not.toContain('someone else made it')
    expect(writesOf(ran)).toEqual([])
  })

  test('is not looked for on a test profile in a script', async () => {
    await bench.runPay('profile set shop --test')
    const ran = await bench.runPay(LINE, { service: shop([refund('2026-03-01T11:59:00')]) })
    expect(ran.exitCode).toBe(0)
    expect(ran.requests.map(({ method }) => method)).toEqual(['POST'])
  })

  test('ends a script with the code of a read that fails', async () => {
    const ran = await bench.runPay(`${LINE} --yes --max-retries 0`, {
      service: ({ method }) => (method === 'GET' ? jsonAnswer(503, {}) : jsonAnswer(200, { id: 'p1' })),
    })
    expect(ran.exitCode).toBe(11)
    expect(writesOf(ran)).toEqual([])
  })

  describe('on a terminal', () => {
    const sentence = (when: string) =>
      `The same write was made ${when}: the payment shows a refund of 3.00 EUR on payment p1 that this ledger doesn't know, so someone else made it. Refund 3.00 EUR of payment p1 on LIVE profile shop again?`

    test.each([
      ['1 minute ago', '2026-03-01T11:59:00'],
      ['23 hours ago (2026-02-28 12:30 UTC)', '2026-02-28T12:30:00'],
    ])('is asked about once: made %s', async (when, date) => {
      const service = shop([refund(date)])
      const no = await bench.runPay(LINE, { service, answers: { [sentence(when)]: false } })
      expect(no.exitCode).toBe(6)
      expect(writesOf(no)).toEqual([])
      const yes = await bench.runPay(LINE, { service, answers: { [sentence(when)]: true } })
      expect(yes.exitCode, yes.stderr).toBe(0)
      expect(yes.questions).toHaveLength(1)
    })

    test('is asked about again if one more has come since', async () => {
      let reads = 0
      const service = (request: HttpRequest) => {
        if (request.method === 'GET') reads += 1
        return shop(
          reads < 2
            ? [refund('2026-03-01T11:59:00')]
            : [refund('2026-03-01T11:59:00'), refund('2026-03-01T11:59:59')],
        )(request)
      }
      const ran = await bench.runPay(LINE, { service, answers: { [sentence('1 minute ago')]: true } })
      expect(ran.exitCode).not.toBe(0)
      expect(writesOf(ran)).toEqual([])
    })
  })
})

describe('a write that ended only because the payment did not show it', () => {
  const lost = ({ method }: HttpRequest) =>
    method === 'GET'
      ? shop([])({ method: 'GET', url: '', headers: {}, body: undefined })
      : jsonAnswer(503, {})
  const HOUR_MS = 3_600_000

  async function absent(more = '') {
    const service = lost
    const sent = await bench.runPay(`${LINE} --yes --max-retries 0 ${more} --json`, { service })
    expect(sent.exitCode).toBe(10)
    await bench.runPay('profile set shop --api-key-stdin', { stdin: 'key-of-shop-rotated-9876' })
    bench.clock.now = new Date(bench.clock.now.getTime() + 6 * 60_000)
    const resolved = await bench.runPay('ops resolve --all --yes --json', { service })
    expect(resolved.exitCode, resolved.stderr).toBe(0)
    expect(JSON.parse(resolved.stdout)).toMatchObject([{ state: 'rejected' }])
  }

  test.each(['', '--once T-9'])('counts as done before for a day: %s', async (more) => {
    await absent()
    bench.clock.now = new Date(bench.clock.now.getTime() + 23 * HOUR_MS)
    const again = await bench.runPay(`${LINE} --yes ${more} --json`, { service: shop([]) })
    expect(again.exitCode).toBe(6)
    expect(errorOf(again).message).toContain('counts as not done only because the payment did not show it')
    expect(writesOf(again)).toEqual([])
    expect((await bench.runPay(`${LINE} --yes --again`, { service: shop([]) })).exitCode).toBe(0)
  })

  test('does not after that', async () => {
    await absent()
    bench.clock.now = new Date(bench.clock.now.getTime() + 24 * HOUR_MS)
    expect((await bench.runPay(`${LINE} --yes`, { service: shop([]) })).exitCode).toBe(0)
  })
})
