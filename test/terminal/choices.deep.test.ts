import { beforeEach, expect } from 'vitest'
import type { ScriptedServer } from '../support/scripted-server.ts'
import { serve, useSpawnBench } from '../support/use-spawn-bench.ts'
import { BACKSPACE, CTRL_C, ENTER, payInTerminal, terminalTest } from '../support/pseudo-terminal.ts'
import { writesOf } from '../support/run-result.ts'

const bench = useSpawnBench()
let server: ScriptedServer
const [DOWN, ESCAPE] = ['\u001b[B', '\u001b']
const PAYMENTS = ['ORD-77', 'ORD-78', 'ORD-79'].map((orderId, at) => ({
  id: `p${at + 1}aaaaaaa`,
  status: 'SETTLED',
  orderId,
  currencyCode: 'EUR',
  amount: 1250 + at * 1000,
  date: '2026-03-01T12:00:00.000000',
  paymentMethod: { paymentMethodData: { last4Digits: '1111', network: 'VISA' } },
  processor: { amountCaptured: 1250 + at * 1000, amountRefunded: 0 },
}))
beforeEach(async () => {
  server = (
    await serve(({ url }) => ({
      body: PAYMENTS.find(({ id }) => url.includes(`/${id}`)) ?? { data: PAYMENTS },
    }))
  ).service
  await bench.pay(['profile', 'add', 'shop', '--base-url', server.url, '--live', '--api-key-stdin', '-q'], {
    stdin: 'key-of-the-shop-0123456789',
  })
})

const writes = () => writesOf(server)

terminalTest('a payment is found by its order and partly refunded below a LIVE banner', async () => {
  const refunded = await payInTerminal('payment refund', {
    env: { ...bench.env, TZ: 'UTC' },
    columns: 60,
    steps: [
      { when: 'Payment ID', type: 'ORD-78' },
      { when: '> p2aaaaaaa', type: ENTER },
      { when: 'Amount (half, 50%; empty: all of it, 22.50 EUR):', type: '12.50' },
      { when: '12.50 EUR = 1250', type: ENTER },
      { when: 'Reason', type: ENTER },
      { when: 'profile shop?', type: `y${ENTER}` },
    ],
  })
  expect(refunded.exitCode).toBe(0)
  expect(writes().map(({ url, body }) => [url.replace(/^.*\/payments/, ''), body])).toEqual([
    ['/p2aaaaaaa/refund', '{"amount":1250}'],
  ])
  expect(refunded.screen).toContain(`${'='.repeat(60)}\n  LIVE: real money, on profile shop\n`)
})

terminalTest('the arrow keys choose, and every choice fits 60 columns', async () => {
  const got = await payInTerminal('payment get', {
    env: { ...bench.env, TZ: 'UTC' },
    columns: 60,
    steps: [{ when: 'Esc cancels', type: `${DOWN}${ENTER}` }],
  })
  expect(got.exitCode).toBe(0)
  expect(got.screen).toContain('> p1aaaaaaa  12.50 EUR  ✓ Settled  ORD-77\n')
  expect(got.screen).toContain('✓ Payment ID: p2aaaaaaa  22.50 EUR  ✓ Settled  ORD-78')
})

terminalTest.each([
  ['Esc', ESCAPE],
  ['Ctrl-C', CTRL_C],
])('%s ends it: nothing is sent, exit 130, and the cursor is visible again', async (_, key) => {
  const ended = await payInTerminal('payment refund', {
    env: bench.env,
    steps: [{ when: 'Esc cancels', type: key }],
  })
  expect(ended.exitCode).toBe(130)
  expect(ended.screen).toContain('nothing was sent')
  expect(ended.raw.lastIndexOf('\u001b[?25h')).toBeGreaterThanOrEqual(ended.raw.lastIndexOf('\u001b[?25l'))
  expect(writes()).toEqual([])
})

terminalTest('a dumb terminal gets questions in plain lines', async () => {
  const refunded = await payInTerminal('payment refund', {
    env: { ...bench.env, TERM: 'dumb' },
    steps: [
      { when: 'or another payment ID):', type: '#2\n' },
      { when: 'Amount', type: '12.50\n' },
      { when: 'Reason', type: '\n' },
      { when: 'y/N:', type: 'y\n' },
    ],
  })
  expect(refunded.exitCode).toBe(0)
  expect(refunded.raw).not.toContain('\u001b')
  expect(refunded.screen).toContain('12.50 EUR = 1250')
  expect(writes().map(({ body }) => body)).toEqual(['{"amount":1250}'])
})

terminalTest('Ctrl-C ends a question on a dumb terminal', async () => {
  const ended = await payInTerminal('payment refund', {
    env: { ...bench.env, TERM: 'dumb' },
    steps: [{ when: 'or another payment ID):', type: CTRL_C }],
  })
  expect(ended.exitCode).toBe(130)
  expect(writes()).toEqual([])
})

terminalTest('a key typed on a dumb terminal never shows', async () => {
  const added = await payInTerminal(`profile add other --base-url ${server.url} --test`, {
    env: { ...bench.env, TERM: 'dumb' },
    steps: [{ when: 'API key', type: `key-of-anotherx${BACKSPACE}-0123\r` }],
  })
  expect(added.exitCode).toBe(0)
  expect((await bench.pay('profile show other')).stdout).toContain('0123')
  expect(added.raw).not.toContain('key-of-another-0123')
})

terminalTest('questions have no colours with NO_COLOR', async () => {
  const refused = await payInTerminal('payment refund', {
    env: { ...bench.env, NO_COLOR: '1' },
    steps: [
      { when: 'Esc cancels', type: ENTER },
      { when: 'Amount', type: ENTER },
      { when: 'Reason', type: ENTER },
      { when: 'LIVE profile shop?', type: `n${ENTER}` },
    ],
  })
  expect(refused.exitCode).toBe(2)
  expect(refused.raw).not.toMatch(/\u001b\[\d*m/)
})
