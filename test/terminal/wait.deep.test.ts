import { describe, expect, test } from 'vitest'
import { serve, useSpawnBench } from '../support/use-spawn-bench.ts'
import { ENTER, payInTerminal, terminalTest } from '../support/pseudo-terminal.ts'
import { errorOf } from '../support/run-result.ts'

/** The built program while it waits for a payment, and while a person chooses a payment of an order. */

const bench = useSpawnBench()

const REFUND = { transactionType: 'REFUND', amount: 300, processorStatus: 'PENDING' }
const SETTLED = { id: 'p1', status: 'SETTLED', currencyCode: 'EUR', transactions: [REFUND] }

test.each([
  ['SIGINT', 130],
  ['SIGTERM', 143],
] as const)('%s ends the wait with exit code %i', async (signal, exitCode) => {
  const { env, service } = await serve(() => ({ body: { id: 'p1', status: 'PENDING' } }))
  const running = bench.start('payment wait p1', { env })
  await service.arrived(2)
  running.kill(signal)
  const ended = await running.ended
  expect(ended).toMatchObject({ exitCode, stdout: '' })
  expect(ended.stderr).toContain('Interrupted while waiting')
})

test('SIGINT while waiting for a refund reports the refund as done', async () => {
  const { env, service } = await serve(({ method }) =>
    method === 'POST' ? { body: SETTLED } : { hang: true },
  )
  const running = bench.start('payment refund p1 --amount 300 --wait --timeout 1s --json', { env })
  await service.arrived(2)
  running.kill('SIGINT')
  const ended = await running.ended
  expect(ended.exitCode).toBe(8)
  expect(JSON.parse(ended.stdout)).toEqual(SETTLED)
  expect(errorOf(ended)).toMatchObject({ code: 'not_finished', outcome: 'applied', retryable: false })
  const records: unknown = JSON.parse((await bench.pay('ops list --json')).stdout)
  expect(records).toMatchObject([{ operation: 'payment.refund', state: 'confirmed', exitCode: 0 }])
})

test('a hanging service hardly prolongs the wait', async () => {
  const { env } = await serve(() => ({ hang: true }))
  const ended = await bench.pay('payment wait p1 --for 1s --timeout 1s --json', { env })
  expect(ended).toMatchObject({ exitCode: 11, stdout: '' })
})

describe('in a terminal', () => {
  const DATA = [
    { id: 'p1', orderId: 'A-1', status: 'SETTLED', amount: 1250, currencyCode: 'EUR' },
    { id: 'p2', orderId: 'A-1', status: 'AUTHORIZED', amount: 1250, currencyCode: 'EUR' },
  ]

  terminalTest('a payment of an order is chosen by typing, and its explanation follows', async () => {
    const { env } = await serve(({ url }) => ({
      body: url.startsWith('/payments?') ? { data: DATA } : DATA[1],
    }))
    const shown = await payInTerminal('payment explain --order A-1', {
      env: { ...bench.env, ...env },
      columns: 60,
      steps: [
        { when: 'Payment (2 for order A-1)', type: 'p2' },
        { when: '> p2', type: ENTER },
      ],
    })
    expect(shown.exitCode).toBe(0)
    expect(shown.screen).toMatch(/^ {2}Status +\S+ Authorized$/m)
  })

  terminalTest('changes are printed while it waits', async () => {
    let read = 0
    const { env } = await serve(() => {
      read += 1
      return { body: { id: 'p1', status: read === 1 ? 'SETTLING' : 'SETTLED' } }
    })
    const shown = await payInTerminal('payment wait p1', { env: { ...bench.env, ...env } })
    expect(shown.exitCode).toBe(0)
    expect(shown.screen).toContain('Waiting: … Settling')
  })
})
