import { describe, expect, test } from 'vitest'
import { SERVICE_ENV } from '../../../support/error-envelope.ts'
import { jsonAnswer } from '../../../support/run-pay.ts'
import { useBench } from '../../../support/use-bench.ts'
import { errorOf } from '../../../support/run-result.ts'
import { createCaptured, paid, reading, refused } from './readings.ts'

const bench = useBench()

describe('a payment', () => {
  test('that is already settled ends the wait at once', async () => {
    const id = await createCaptured(bench, 'tok_visa')
    const waited = await bench.runPay(`--sandbox payment wait ${id} --query status`)
    expect(waited).toMatchObject({ exitCode: 0, stdout: '"SETTLED"\n' })
    expect(waited.requests).toHaveLength(1)
    expect(bench.waits).toEqual([])
  })

  test('that settles later is read until it is settled', async () => {
    const id = await createCaptured(bench, 'tok_async')
    const waited = await bench.runPay(`--sandbox payment wait ${id} --for 2h`)
    expect(waited).toMatchObject({ exitCode: 0, stdout: expect.stringContaining('✓ Settled') })
    expect(waited.requests.every(({ method }) => method === 'GET')).toBe(true)
  })

  test('that is still SETTLING when the time is up is printed: exit 8', async () => {
    const id = await createCaptured(bench, 'tok_async')
    const waited = await bench.runPay(`--sandbox payment wait ${id} --for 90s --json`)
    expect(waited.exitCode).toBe(8)
    expect(JSON.parse(waited.stdout)).toMatchObject({ id, status: 'SETTLING' })
    expect(errorOf(waited)).toMatchObject({
      code: 'not_finished',
      exitCode: 8,
      outcome: 'none',
      retryable: true,
      hint: 'The sandbox settles payments by its own clock. To advance it: pay sandbox clock advance 1h',
      next: [`pay --sandbox payment explain ${id}`],
    })
    expect(bench.waits.reduce((sum, ms) => sum + ms, 0)).toBe(90_000)
  })

  test('is waited for two minutes by default', async () => {
    const waited = await bench.runPay('payment wait p1', reading(paid('PENDING')))
    expect(waited.exitCode).toBe(8)
    expect(waited.stderr).toContain('Not finished after 2m: the payment is … Pending')
    expect(bench.waits.reduce((sum, ms) => sum + ms, 0)).toBe(120_000)
  })

  test('is read at growing intervals', async () => {
    await bench.runPay('payment wait p1 --for 2m', reading(paid('PENDING')))
    const [first = 0, ...rest] = bench.waits
    expect(first).toBeLessThanOrEqual(1_000)
    expect(Math.max(...rest)).toBeLessThanOrEqual(15_000)
    expect(bench.waits.length).toBeLessThan(20)
  })

  test.each(['DECLINED', 'FAILED'])('that is %s is printed: exit 13', async (status) => {
    const waited = await bench.runPay('payment wait p1 --json', reading(paid('PENDING'), paid(status)))
    expect(waited.exitCode).toBe(13)
    expect(JSON.parse(waited.stdout)).toEqual({ id: 'p1', status })
    expect(errorOf(waited)).toMatchObject({ code: 'payment_declined', exitCode: 13 })
  })

  test('that failed with GATEWAY_TIMEOUT is in doubt, not declined', async () => {
    const timedOut = paid('FAILED', { statusReason: { type: 'GATEWAY_TIMEOUT' } })
    const waited = await bench.runPay('payment wait p1 --json', reading(timedOut))
    expect(waited).toMatchObject({ exitCode: 10, stdout: '' })
    expect(errorOf(waited)).toMatchObject({ code: 'outcome_unknown', outcome: 'unknown' })
  })

  test('that does not exist ends the wait at once', async () => {
    const waited = await bench.runPay('payment wait p1', reading(refused(404)))
    expect(waited).toMatchObject({ exitCode: 5, stdout: '' })
    expect(waited.requests.filter(({ url }) => url.endsWith('/payments/p1'))).toHaveLength(1)
  })

  test.each([401, 403])('that the key may not read (%i) ends the wait at once', async (status) => {
    const waited = await bench.runPay('payment wait p1', reading(paid('PENDING'), refused(status)))
    expect(waited).toMatchObject({ exitCode: 4, stdout: '' })
    expect(waited.requests).toHaveLength(2)
  })

  test('without a status is waited for until the time is up', async () => {
    const waited = await bench.runPay(
      'payment wait p1 --for 5s',
      reading({ status: 200, body: { id: 'p1' } }),
    )
    expect(waited.exitCode).toBe(8)
    expect(waited.stderr).toContain('the status of the payment is unknown')
  })
})

describe('--until', () => {
  test('is accepted in any case', async () => {
    const answers = reading(paid('CANCELLED'))
    expect((await bench.runPay('payment wait p1 --until settled,Cancelled', answers)).exitCode).toBe(0)
  })

  test('keeps waiting while the payment has another status that can change', async () => {
    const answers = reading(paid('PENDING'), paid('AUTHORIZED'), paid('SETTLED'))
    expect((await bench.runPay('payment wait p1 --until SETTLED,CANCELLED', answers)).requests).toHaveLength(
      3,
    )
  })

  test('ends immediately if the payment has another final status', async () => {
    const waited = await bench.runPay('payment wait p1 --until SETTLED', reading(paid('CANCELLED')))
    expect(waited).toMatchObject({ exitCode: 8, stdout: expect.stringContaining('Cancelled') })
    expect(waited.stderr).toContain("which is final: it won't become SETTLED")
    expect(bench.waits).toEqual([])
  })

  test('exits 13 for a declined payment, even if that was the status to wait for', async () => {
    expect((await bench.runPay('payment wait p1 --until DECLINED', reading(paid('DECLINED')))).exitCode).toBe(
      13,
    )
  })

  test('accepts an unknown status with a warning', async () => {
    const waited = await bench.runPay('payment wait p1 --until CHARGED_BACK', reading(paid('CHARGED_BACK')))
    expect(waited.exitCode).toBe(0)
    expect(waited.stderr).toContain('Warning: --until CHARGED_BACK is not a known status')
    expect(waited.stderr).not.toContain('--refund')
  })

  test('says how to wait for a refund where REFUNDED is waited for', async () => {
    const waited = await bench.runPay('payment wait p1 --until refunded', reading(paid('SETTLED')))
    expect(waited.exitCode).toBe(8)
    expect(waited.stderr).toContain('To wait for a refund, use --refund.')
  })

  test.each([
    ['SETLED', 'Did you mean SETTLED?'],
    ['setled', 'Did you mean SETTLED?'],
    ['SETTLED,,', 'PENDING, AUTHORIZED'],
    ['SETTLED,AUTHORISED', 'Did you mean AUTHORIZED?'],
  ])('%s is refused with a suggestion', async (until, hint) => {
    const waited = await bench.runPay(['payment', 'wait', 'p1', '--until', until], reading(paid('SETTLED')))
    expect(waited).toMatchObject({ exitCode: 2, stdout: '', requests: [] })
    expect(waited.stderr).toContain(hint)
  })
})

describe('waiting on a terminal', () => {
  test('prints each new status', async () => {
    const answers = reading(paid('PENDING'), paid('PENDING'), paid('SETTLING'), paid('SETTLED'))
    const waited = await bench.runPay('payment wait p1', { ...answers, tty: true })
    expect(waited.stderr).toBe('Waiting: … Pending\nNow: … Settling\n')
  })

  test('says from time to time that nothing changed', async () => {
    const waited = await bench.runPay('payment wait p1 --for 2m', { ...reading(paid('PENDING')), tty: true })
    expect(waited.stderr.match(/^Still: … Pending$/gm)?.length).toBe(3)
  })

  test('prints nothing in a script or with --quiet', async () => {
    const answers = reading(paid('PENDING'), paid('SETTLED'))
    expect((await bench.runPay('payment wait p1', answers)).stderr).toBe('')
    expect((await bench.runPay('payment wait p1 -q', { ...answers, tty: true })).stderr).toBe('')
  })

  test('leaves nothing in doubt after Ctrl-C', async () => {
    const stopped = new AbortController()
    const waited = await bench.runPay('payment wait p1', {
      env: SERVICE_ENV,
      signal: stopped.signal,
      service: () => {
        stopped.abort('SIGINT')
        return jsonAnswer(200, { id: 'p1', status: 'PENDING' })
      },
    })
    expect(waited).toMatchObject({ exitCode: 130, stdout: '' })
    expect(waited.stderr).toContain('Interrupted while waiting: the payment was … Pending')
  })
})

test('--dry-run prints the request without sending it', async () => {
  const waited = await bench.runPay('--sandbox payment wait p1 --dry-run')
  expect(waited).toMatchObject({ exitCode: 0, requests: [] })
  expect(waited.stdout).toContain('GET http://sandbox.localhost/payments/p1')
})

test('refuses an invalid duration before it reads anything', async () => {
  expect(await bench.runPay('payment wait p1 --for soon', reading(paid('SETTLED')))).toMatchObject({
    exitCode: 2,
    requests: [],
  })
})

describe('a failed read', () => {
  test.each([303, 408, 429, 460, 499, 500, 503])('with status %i is repeated', async (status) => {
    const waited = await bench.runPay('payment wait p1', reading(refused(status), paid('SETTLED')))
    expect(waited.exitCode).toBe(0)
    expect(waited.requests).toHaveLength(2)
  })

  test('without a connection is repeated', async () => {
    const waited = await bench.runPay('payment wait p1', {
      env: SERVICE_ENV,
      service: (_, attempt) => {
        if (attempt === 1) throw new Error('cut')
        return jsonAnswer(200, { id: 'p1', status: 'SETTLED' })
      },
    })
    expect(waited.exitCode).toBe(0)
  })

  test("with a proxy's HTML page is repeated", async () => {
    const waited = await bench.runPay('payment wait p1', {
      env: SERVICE_ENV,
      service: (_, attempt) =>
        attempt === 1
          ? { status: 200, headers: {}, body: '<html>' }
          : jsonAnswer(200, { id: 'p1', status: 'SETTLED' }),
    })
    expect(waited.exitCode).toBe(0)
  })

  test('is repeated no earlier than Retry-After allows', async () => {
    await bench.runPay('payment wait p1', reading(refused(429, { 'retry-after': '20' }), paid('SETTLED')))
    expect(bench.waits).toEqual([20_000])
  })

  test('ends the wait if Retry-After exceeds the remaining time', async () => {
    const answers = reading(paid('PENDING'), refused(429, { 'retry-after': '50' }))
    const waited = await bench.runPay('payment wait p1 --for 30s', answers)
    expect(waited).toMatchObject({ exitCode: 8, stdout: expect.stringContaining('Pending') })
    expect(waited.stderr).toContain('the last read failed')
    expect(waited.requests).toHaveLength(2)
  })

  test('on every attempt ends with an error that gives the reason', async () => {
    const waited = await bench.runPay('payment wait p1 --for 10s --json', reading(refused(503)))
    expect(waited).toMatchObject({ exitCode: 11, stdout: '' })
    expect(errorOf(waited)['message']).toContain('could not be read within 10s')
  })
})
