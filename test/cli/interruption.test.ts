import { beforeEach, expect, test } from 'vitest'
import { jsonAnswer } from '../support/run-pay.ts'
import { useBench } from '../support/use-bench.ts'
import { storeProfile } from '../support/stored-profile.ts'
import { writesOf } from '../support/run-result.ts'

const PAYMENT = { id: 'p1', status: 'SETTLED', currencyCode: 'EUR', amount: 1_000 }

const bench = useBench()
let signal: AbortController
beforeEach(async () => {
  signal = new AbortController()
  await storeProfile(bench)
})
/** Sends a signal while a request with this method is in flight. */
const interrupt = (line: string, during: string, status = 200) =>
  bench.runPay(line, {
    signal: signal.signal,
    service: ({ method }) => {
      if (method === during) signal.abort('SIGTERM')
      return jsonAnswer(method === during ? status : 200, PAYMENT)
    },
  })
const operations = async () => JSON.parse((await bench.runPay('ops list --json')).stdout)

test.each(['', ' -q', ' --timeout 90s'])(
  'a write in flight is waited for, which is said once%s',
  async (way) => {
    const done = await interrupt(`payment refund p1 --amount 300${way}`, 'POST')
    expect(done).toMatchObject({ exitCode: 0, stdout: expect.stringContaining('Settled') })
    expect(done.stderr).toBe(
      `Interrupted: waiting up to ${way.includes('90s') ? 90 : 30} s for the response. Interrupt again to stop waiting; the outcome is then unknown.\n`,
    )
    expect(await operations()).toMatchObject([{ state: 'confirmed', exitCode: 0 }])
  },
)

test.each([40, 60, 80])('notices break between words on a terminal of %d columns', async (columns) => {
  const done = await bench.runPay('payment refund p1 --amount 300', {
    tty: true,
    columns,
    env: { NO_COLOR: '1' },
    signal: signal.signal,
    service: ({ method }) => {
      if (method === 'POST') signal.abort('SIGINT')
      return jsonAnswer(200, { ...PAYMENT, processor: { amountCaptured: 1000, amountRefunded: 0 } })
    },
  })
  const notice = done.stderr.slice(done.stderr.indexOf('Interrupted')).split('\n')
  const words = notice.slice(0, notice.findIndex((line) => line.endsWith('unknown.')) + 1)
  expect(words.join(' ')).toBe(
    'Interrupted: waiting up to 30 s for the response. Interrupt again to stop waiting; the outcome is then unknown.',
  )
  for (const line of words) expect(line.length).toBeLessThanOrEqual(columns)
})

test('a read before a write is not waited for and leaves no record', async () => {
  const ended = await interrupt('payment adjust p1 --amount 300', 'GET')
  expect(ended).toMatchObject({ exitCode: 143, stdout: '' })
  expect(ended.requests.map(({ method }) => method)).toEqual(['GET'])
  expect(ended.stderr).toContain('nothing was sent')
  expect(ended.stderr).not.toContain('waiting')
  expect(await operations()).toEqual([])
})

test('a write that gets a server error is not sent again and stays in doubt', async () => {
  const ended = await interrupt('payment refund p1 --amount 300', 'POST', 503)
  expect(ended.exitCode).toBe(10)
  expect(ended.requests).toHaveLength(1)
  const [record] = await operations()
  expect(record).toMatchObject({ state: 'in-doubt', exitCode: 10 })
  expect(ended.stderr).toContain(`pay ops resolve ${record.id}`)
})

test('a signal before anything is sent leaves the ledger unchanged', async () => {
  const refund = 'payment refund p1 --amount 300'
  const service = () => jsonAnswer(200, PAYMENT)
  await bench.runPay(refund, { service })
  const asked = await bench.runPay(refund, { service, tty: true, signal: AbortSignal.abort('SIGINT') })
  expect(asked.exitCode).toBe(130)
  expect(writesOf(asked)).toEqual([])
  expect(await operations()).toHaveLength(1)
})
