import { describe, expect, test } from 'vitest'
import { SERVICE_ENV } from '../../../support/error-envelope.ts'
import { jsonAnswer } from '../../../support/run-pay.ts'
import { useBench } from '../../../support/use-bench.ts'
import { errorOf } from '../../../support/run-result.ts'
import { paid, reading, refused } from './readings.ts'

const bench = useBench()

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
    expect(waited.exitCode).toBe(8)
    expect(waited.stdout).toContain('PENDING')
    expect(waited.stderr).toContain('the last read failed')
    expect(waited.requests).toHaveLength(2)
  })

  test('on every attempt ends with an error that gives the reason', async () => {
    const waited = await bench.runPay('payment wait p1 --for 10s --json', reading(refused(503)))
    expect(waited).toMatchObject({ exitCode: 11, stdout: '' })
    expect(errorOf(waited)['message']).toContain('could not be read within 10s')
  })
})
