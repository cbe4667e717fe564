import { expect, test } from 'vitest'
import { jsonAnswer } from '../../support/run-pay.ts'
import { useBench } from '../../support/use-bench.ts'

const bench = useBench({})
const PAID = {
  id: 'p1',
  status: 'SETTLED',
  currencyCode: 'EUR',
  amount: 3050,
  processor: { amountCaptured: 3050, amountRefunded: 0 },
}
const HELD = { ...PAID, status: 'AUTHORIZED', processor: { amountCaptured: 0, amountRefunded: 0 } }
const refunded = (processorStatus: string | undefined, amountRefunded = 500) => ({
  ...PAID,
  processor: { amountCaptured: 3050, amountRefunded },
  transactions: [{ transactionType: 'REFUND', amount: amountRefunded, processorStatus }],
})

const REFUND = 'refund p1 --amount 500'

test.each([
  [REFUND, PAID, refunded('SETTLED'), '✓ Refunded 5.00 EUR, 25.50 EUR left'],
  [REFUND, PAID, refunded('PENDING'), '… Refund of 5.00 EUR accepted, not final yet, 25.50 EUR left'],
  ['refund p1 --yes', PAID, refunded('SETTLED', 3050), '✓ Refunded 30.50 EUR, nothing left'],
  [REFUND, PAID, { id: 'p1' }, '… Refund of 5'],
  [
    'capture p1 --amount 700',
    HELD,
    { ...PAID, processor: { amountCaptured: 700, amountRefunded: 0 } },
    '✓ Captured 7.00 EUR',
  ],
  [
    'capture p1 --amount 700 --no-final',
    HELD,
    { ...PAID, status: 'PARTIALLY_SETTLED', processor: { amountCaptured: 700, amountRefunded: 0 } },
    '✓ Captured 7.00 EUR, 23.50 EUR left',
  ],
  [
    'capture p1 --yes',
    HELD,
    { ...PAID, status: 'SETTLING' },
    '… Capture of 30.50 EUR accepted, not settled yet',
  ],
  ['adjust p1 --amount 900', HELD, { ...HELD, amount: 900 }, '✓ Authorized amount: 9.00 EUR'],
  ['cancel p1', HELD, { ...HELD, status: 'CANCELLED' }, '✓ Cancelled: the authorization is released'],
])('%s prints one line: %#', async (line, before, after, words) => {
  const ran = await bench.runPay(`payment ${line}`, {
    service: ({ method }) => jsonAnswer(200, method === 'GET' ? before : after),
    tty: true,
    env: { NO_COLOR: '1' },
  })
  expect(ran.exitCode).toBe(0)
  expect(ran.stderr.split('\n').some((each) => each.startsWith(words))).toBe(true)
})

test.each(['--quiet', '--json'])('prints no line with %s or in a script', async (flag) => {
  const service = () => jsonAnswer(200, refunded('SETTLED'))
  const quiet = await bench.runPay(`payment refund p1 --amount 500 ${flag}`, { service, tty: true })
  const script = await bench.runPay('payment refund p1 --amount 500 --again', { service })
  for (const { stderr } of [quiet, script]) expect(stderr).not.toContain('Refunded 5.00 EUR')
})
