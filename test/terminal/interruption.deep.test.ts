import { describe, expect, test } from 'vitest'
import { startRawServer } from '../support/raw-server.ts'
import { serve, useSpawnBench } from '../support/use-spawn-bench.ts'
import { payInLostTerminal, terminalTest } from '../support/pseudo-terminal.ts'
import { errorOf } from '../support/run-result.ts'

/** Signals during a refund: what the built program reports, and what `pay ops list` shows afterwards. */

const PAYMENT = { id: 'p1', status: 'SETTLED', currencyCode: 'EUR', amount: 1_000 }
const REFUND = 'payment refund p1 --amount 300'
const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

const bench = useSpawnBench()

const envFor = (url: string) => ({ PAY_API_KEY: 'key-of-env-0123', PAY_BASE_URL: url })
const operations = async () => JSON.parse((await bench.pay('ops list --json')).stdout)

describe.each(SIGNALS)('%s', (signal) => {
  test('once: waits for the response, says so once, then records and prints it', async () => {
    let isSaid = (): void => {}
    const after = new Promise<void>((resolve) => {
      isSaid = resolve
    })
    const { env, service } = await serve([{ after, body: PAYMENT }])
    const running = bench.start(REFUND, { env })
    await service.arrived(1)
    running.kill(signal)
    await running.says('Interrupted: waiting up to 30 s for the response')
    isSaid()
    const ended = await running.ended
    expect(ended).toMatchObject({ exitCode: 0, stdout: expect.stringContaining('Settled') })
    expect(ended.stderr.match(/Interrupted/g)).toHaveLength(1)
    expect(await operations()).toMatchObject([
      { operation: 'payment.refund', state: 'confirmed', exitCode: 0 },
    ])
  })

  test('once, and a timeout: in doubt, not sent again, exit 10', async () => {
    const { env, service } = await serve(() => ({ hang: true }))
    const running = bench.start(`${REFUND} --timeout 1s --json`, { env })
    await service.arrived(1)
    running.kill(signal)
    expect(await running.ended).toMatchObject({ exitCode: 10, stdout: '' })
    expect(service.requests).toHaveLength(1)
    expect(await operations()).toMatchObject([{ state: 'in-doubt', exitCode: 10 }])
  })

  test('twice: in doubt, exit 10, and the error names the command that resolves it', async () => {
    const { env, service } = await serve(() => ({ hang: true }))
    const running = bench.start(`${REFUND} --json`, { env })
    await service.arrived(1)
    running.kill(signal)
    await running.says('Interrupted')
    running.kill(signal)
    const ended = await running.ended
    expect(ended).toMatchObject({ exitCode: 10, stdout: '' })
    const [record] = await operations()
    expect(record).toMatchObject({ state: 'in-doubt', exitCode: 10 })
    expect(errorOf(ended)).toMatchObject({
      outcome: 'unknown',
      operationId: record.id,
      next: [`pay ops resolve ${record.id}`, 'pay payment get p1'],
    })
  })

  test('before anything is sent: no open record', async () => {
    // The server accepts the connection and never answers the TLS handshake.
    let connected = (): void => {}
    const first = new Promise<void>((resolve) => {
      connected = resolve
    })
    const silent = await startRawServer(() => connected())
    const running = bench.start(`${REFUND} --json`, { env: envFor(`https://127.0.0.1:${silent.port}`) })
    await first
    running.kill(signal)
    const ended = await running.ended
    await silent.close()
    expect(ended).toMatchObject({ exitCode: signal === 'SIGINT' ? 130 : 143, stdout: '' })
    expect(errorOf(ended)).toMatchObject({ code: 'interrupted', outcome: 'none' })
    expect(ended.stderr).toContain('nothing was sent')
    expect(await operations()).toMatchObject([{ state: 'rejected' }])
    expect(
      (await bench.pay(`${REFUND} --max-retries 0`, { env: envFor('http://127.0.0.1:9') })).exitCode,
    ).toBe(9)
  })
})

terminalTest('a closed terminal: the response is still recorded', async () => {
  const { env, service } = await serve([{ delayMs: 700, body: PAYMENT }])
  const ended = await payInLostTerminal('api POST /payments/p1/refund --set amount:=300', {
    env: { ...bench.env, ...env },
    lost: service.arrived(1),
  })
  // A program whose terminal is closed ends by SIGHUP.
  expect(ended).toBe(128 + 1)
  expect(service.requests).toHaveLength(1)
  expect(await operations()).toMatchObject([{ operation: 'payment.refund', state: 'confirmed', exitCode: 0 }])
})
