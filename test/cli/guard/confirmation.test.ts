import { beforeEach, describe, expect, test } from 'vitest'
import { useBench } from '../../support/use-bench.ts'
import { storeProfile } from '../../support/stored-profile.ts'
import { writesOf } from '../../support/run-result.ts'
import { AUTHORIZED, PAID, serviceOf } from '../payment-to-change.ts'

const bench = useBench()

const MONEY_LINES = [
  ['payment capture p1 --amount 500', /Capture 5\.00.* of payment p1/],
  ['payment refund p1 --amount 500', /Refund 5\.00.* of payment p1/],
  ['payment adjust p1 --amount 500', /5\.00/],
  ['payment cancel p1', /Cancel payment p1/],
  ['payment authorize p1 --processor-merchant-id m1', /Authorize payment p1/],
  ['payment resume p1 --resume-token tok-secret-1', /Resume payment p1/],
  ['payment create --token tok-secret-1 --amount 500 --currency EUR --order-id A', /payment of 5\.00 EUR/],
  ['loyalty redeem --connection-id c --customer-id u --order-id o --value 5', /./],
  ['loyalty refund --connection-id c --customer-id u --order-id o --value 5', /./],
  ['instrument delete tok-secret-1', /Delete/],
  ['api POST /payments/p1/refund --set amount:=500', /POST \/payments/],
  ['api POST /payments', /POST \/payments/],
  ['api DELETE /payment-instruments/tok-secret-1', /DELETE/],
  ['api POST /client-session --set orderId=A', /POST \/client-session/],
  ['api PATCH /observability/payments/x --set status=SETTLED', /PATCH/],
  ['api POST /nobody/knows', /POST \/nobody\/knows/],
  ['api PUT /payments/p1', /PUT/],
] as const

/** A refund needs a captured payment, everything else here an authorized one. */
const paymentFor = (line: string) => (line.startsWith('payment refund') ? PAID : AUTHORIZED)

const isApiWithoutBody = (line: string) => line === 'api POST /payments'

describe('on a live profile', () => {
  beforeEach(() => storeProfile(bench, { mode: 'live' }))

  test.each(MONEY_LINES)('a script needs --yes, and nothing is sent without it: pay %s', async (line) => {
    const words = isApiWithoutBody(line) ? `${line} --no-validate` : line
    const refused = await bench.runPay(words, { service: serviceOf(paymentFor(line)) })
    expect(refused).toMatchObject({ exitCode: 2, stdout: '', requests: [] })
    expect(refused.stderr).toContain('--yes')
    expect(refused.stderr).not.toContain('tok-secret-1')
  })

  test.each(MONEY_LINES)('on a terminal No sends nothing: pay %s', async (line, sentence) => {
    const words = isApiWithoutBody(line) ? `${line} --no-validate` : line
    let asked = ''
    const refused = await bench.runPay(words, {
      service: serviceOf(paymentFor(line)),
      answers: new Proxy<Record<string, boolean>>(
        { Confirm: false },
        {
          getOwnPropertyDescriptor: (target, key) => {
            if (typeof key === 'string' && key !== 'Confirm') asked = key
            return Reflect.getOwnPropertyDescriptor(target, key)
          },
        },
      ),
    })
    expect(refused).toMatchObject({ exitCode: 2, stdout: '', questions: ['Confirm'] })
    expect(writesOf(refused)).toEqual([])
    expect(refused.stderr).toContain('nothing was sent')
    expect(asked).toMatch(sentence)
    expect(asked).toContain('LIVE')
    expect(asked).toContain('shop')
    expect(refused.stderr).toMatch(/Ledger.* this machine only/)
    expect(asked).not.toContain('tok-secret-1')
  })

  test.each(MONEY_LINES)('on a terminal Yes sends it once: pay %s', async (line) => {
    const words = isApiWithoutBody(line) ? `${line} --no-validate` : line
    const sent = await bench.runPay(words, {
      service: serviceOf(paymentFor(line)),
      answers: { Confirm: true },
    })
    expect(sent.exitCode).toBe(0)
    expect(writesOf(sent)).toHaveLength(1)
  })

  test.each(MONEY_LINES)('--yes confirms it in a script: pay %s', async (line) => {
    const words = isApiWithoutBody(line) ? `${line} --no-validate` : line
    const sent = await bench.runPay(`${words} --yes`, { service: serviceOf(paymentFor(line)) })
    expect(sent.exitCode).toBe(0)
    expect(writesOf(sent)).toHaveLength(1)
  })

  test.each([
    'payment get p1',
    'payment list',
    'api GET /payments',
    'api GET /nobody/knows',
    'session create --order-id A',
    'session update --client-token tok --order-id A',
    'instrument list --customer-id c',
    'instrument default tok',
    'observability update x --status SETTLED',
  ])('a command that neither moves money nor deletes is not confirmed: pay %s', async (line) => {
    const sent = await bench.runPay(line, {
      service: serviceOf({ id: 'p1', data: [], status: 'SETTLED' }),
      tty: true,
    })
    expect(sent.exitCode).toBe(0)
    // The session is read first, to show what changes.
    expect(sent.requests).toHaveLength(line.startsWith('session update') ? 2 : 1)
  })

  test.each(MONEY_LINES)('a dry run needs no confirmation and sends nothing: pay %s', async (line) => {
    const words = isApiWithoutBody(line) ? `${line} --no-validate` : line
    for (const how of ['--dry-run', '--curl']) {
      const shown = await bench.runPay(`${words} ${how}`, { service: serviceOf(paymentFor(line)), tty: true })
      expect(shown).toMatchObject({ exitCode: 0, requests: [] })
    }
  })

  test('CI with a terminal needs --yes', async () => {
    const refused = await bench.runPay('payment capture p1', {
      service: serviceOf(AUTHORIZED),
      tty: true,
      env: { CI: 'true' },
    })
    expect(refused).toMatchObject({ exitCode: 2, requests: [] })
  })

  test('smoke is refused', async () => {
    const refused = await bench.runPay('smoke --yes', { service: serviceOf(AUTHORIZED) })
    expect(refused).toMatchObject({ exitCode: 2, requests: [] })
  })
})

describe('on a test profile', () => {
  beforeEach(() => storeProfile(bench, { mode: 'test' }))

  test.each(MONEY_LINES)('no confirmation is asked for: pay %s', async (line) => {
    const words = isApiWithoutBody(line) ? `${line} --no-validate` : line
    const sent = await bench.runPay(words, { service: serviceOf(paymentFor(line)), tty: true })
    expect(sent).toMatchObject({ exitCode: 0, questions: [] })
    expect(writesOf(sent)).toHaveLength(1)
  })
})
