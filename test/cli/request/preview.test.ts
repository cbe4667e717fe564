import { beforeEach, describe, expect, test } from 'vitest'
import type { HttpRequest } from '../../../src/client/http/transport-port.ts'
import { jsonAnswer } from '../../support/run-pay.ts'
import { useBench } from '../../support/use-bench.ts'
import { storeProfile } from '../../support/stored-profile.ts'
import { writesOf } from '../../support/run-result.ts'
import { AUTHORIZED, PAID, serviceOf } from '../payment-to-change.ts'

const bench = useBench()

describe('the preview', () => {
  beforeEach(() => storeProfile(bench, { mode: 'live' }))

  test('of a refund shows profile, mode, order, status, method, figures, this amount and what remains', async () => {
    const sent = await bench.runPay('payment refund p1 --amount 300', {
      service: serviceOf(PAID),
      answers: { Confirm: true },
    })
    for (const words of [
      'shop',
      'LIVE',
      'A-1',
      'Settled',
      '1111',
      '10.00 EUR',
      '2.00 EUR',
      '8.00 EUR',
      '3.00 EUR',
      '5.00 EUR',
    ])
      expect(sent.stderr).toContain(words)
    // The payment, its order's other payments, and on a live profile one more look at the payment before the refund.
    expect(sent.requests.map(({ method }) => method)).toEqual(['GET', 'GET', 'GET', 'POST'])
  })

  test.each(['capture', 'refund', 'adjust', 'cancel'])(
    'is shown before a %s, but not in a script',
    async (verb) => {
      const payment = verb === 'refund' ? PAID : AUTHORIZED
      const words = `payment ${verb} p1 ${verb === 'cancel' ? '' : '--amount 300'}`
      const shown = await bench.runPay(`${words} --yes`, { service: serviceOf(payment), tty: true })
      expect(shown.requests[0]?.method).toBe('GET')
      expect(shown.stderr).toContain('A-1')
      bench.clock.now = new Date(bench.clock.now.getTime() + 1_000)
      const script = await bench.runPay(`${words} --yes --again`, { service: serviceOf(payment) })
      // An adjustment always reads the payment first: recovery needs the old amount to determine the outcome.
      expect(script.requests.map(({ method }) => method)).toEqual(
        verb === 'adjust' ? ['GET', 'POST'] : ['POST'],
      )
      expect(script.stderr).not.toContain('A-1')
    },
  )

  test.each(['capture', 'refund', 'adjust', 'cancel'])('says whose payment it is: %s', async (verb) => {
    const payment = {
      ...(verb === 'refund' ? PAID : AUTHORIZED),
      date: '2026-02-27T23:30:00.000000',
      customerId: 'c-7',
      customer: {
        emailAddress: 'ada@example.com\u001B[2J',
        firstName: 'Ada 4111111111111111',
        lastName: 'Lovelace',
      },
    }
    const shown = await bench.runPay(`payment ${verb} p1 ${verb === 'cancel' ? '' : '--amount 300'}`, {
      service: serviceOf(payment),
      answers: { Confirm: false },
      timeZone: 'Europe/Berlin',
      env: { NO_COLOR: '1' },
    })
    expect(writesOf(shown)).toEqual([])
    expect(shown.stderr).toMatch(/^Customer +Ada \[card number\] Lovelace \(c-7\)$/m)
    expect(shown.stderr).toMatch(/^Email +ada@example\.com\\u001b\[2J$/m)
    expect(shown.stderr).toMatch(/^Created +2026-02-28 00:30:00 /m)
  })

  test('leaves out what the payment does not say about its customer', async () => {
    const shown = await bench.runPay('payment refund p1 --amount 300', {
      service: serviceOf(PAID),
      answers: { Confirm: false },
    })
    for (const label of ['Customer', 'Email', 'Created']) expect(shown.stderr).not.toContain(label)
  })

  test('says "unknown" for figures that the payment does not have', async () => {
    const shown = await bench.runPay('payment refund p1 --amount 300', {
      service: serviceOf({ id: 'p1' }),
      answers: { Confirm: false },
    })
    expect(shown.stderr.match(/unknown/g)?.length).toBeGreaterThan(4)
  })

  test('of a payment that cannot be read still asks for confirmation', async () => {
    const shown = await bench.runPay('payment capture p1 --amount 300', {
      service: ({ method }) => (method === 'GET' ? jsonAnswer(500, {}) : jsonAnswer(200, PAID)),
      answers: { Confirm: true },
    })
    expect(shown).toMatchObject({ exitCode: 0, stderr: expect.stringContaining('could not be read') })
  })

  test('of a refund on a live profile is needed: nothing is sent without --again', async () => {
    const unread = {
      service: ({ method }: HttpRequest) => (method === 'GET' ? jsonAnswer(500, {}) : jsonAnswer(200, PAID)),
      answers: { Confirm: true },
    }
    const refused = await bench.runPay('payment refund p1 --amount 300', unread)
    expect(refused.exitCode).toBe(11)
    expect(writesOf(refused)).toEqual([])
    expect((await bench.runPay('payment refund p1 --amount 300 --again', unread)).exitCode).toBe(0)
  })

  test('of a payment that does not exist is an error: nothing is sent', async () => {
    const shown = await bench.runPay('payment refund p1 --amount 300', {
      service: () => jsonAnswer(400, { error: { errorId: 'PaymentError' } }),
      tty: true,
    })
    expect(shown.exitCode).toBe(5)
    expect(writesOf(shown)).toEqual([])
  })

  test.each([
    ['refund', PAID, 'Amount', '', 800],
    ['refund', PAID, 'Amount', '2.50', 250],
    ['refund', PAID, 'Amount', '2.50 EUR', 250],
    ['refund', PAID, 'Amount', 'half', 400],
  ])('sends the amount that it showed: %s', async (verb, payment, label, answer, amount) => {
    const sent = await bench.runPay(`payment ${verb} p1`, {
      service: serviceOf(payment),
      answers: { [label]: answer, Confirm: true },
    })
    expect(sent.exitCode).toBe(0)
    expect(JSON.parse(sent.requests.at(-1)?.body ?? '')).toEqual({ amount })
  })

  test('sends an omitted capture amount as it was shown', async () => {
    const sent = await bench.runPay('payment capture p1', {
      service: serviceOf(AUTHORIZED),
      answers: { Amount: '', Confirm: true },
    })
    expect(JSON.parse(sent.requests.at(-1)?.body ?? '')).toEqual({ amount: 1000 })
    expect(sent.stderr).toContain('10.00 EUR')
  })

  test('with --yes on a terminal sends the amount that it showed', async () => {
    const sent = await bench.runPay('payment refund p1 --yes', { service: serviceOf(PAID), tty: true })
    expect(JSON.parse(sent.requests.at(-1)?.body ?? '')).toEqual({ amount: 800 })
  })

  test('a script without an amount sends none, which means the full remainder', async () => {
    const sent = await bench.runPay('payment refund p1 --yes', { service: serviceOf(PAID) })
    expect(writesOf(sent).map(({ body }) => body)).toEqual([undefined])
  })

  test('of a partial capture says what happens to the rest', async () => {
    const shown = await bench.runPay('payment capture p1 --amount 700', {
      service: serviceOf(AUTHORIZED),
      answers: { Confirm: false },
    })
    expect(shown.stderr).toContain('3.00 EUR')
    expect(shown.stderr).toContain('--no-final')
  })
})
