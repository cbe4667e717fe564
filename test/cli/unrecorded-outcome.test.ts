import { mkdirSync, rmSync } from 'node:fs'
import { beforeEach, describe, expect, test } from 'vitest'
import { ledgerPath } from '../../src/ledger/ledger-file.ts'
import { jsonAnswer } from '../support/run-pay.ts'
import { useBench } from '../support/use-bench.ts'
import type { RunOptions } from '../support/run-pay.ts'
import { storeProfile } from '../support/stored-profile.ts'

const PAYMENT = { id: 'p1', status: 'SETTLED', currencyCode: 'EUR', amount: 1_000 }

const bench = useBench()
beforeEach(async () => {
  await storeProfile(bench)
})
const pay = (line: string, options: RunOptions = {}) =>
  bench.runPay(line, { service: () => jsonAnswer(200, PAYMENT), ...options })

describe('an outcome that cannot be recorded', () => {
  /** Makes the ledger unwritable while the request is in flight. */
  const withoutDisk = () => {
    const path = ledgerPath(bench.stateFolder)
    rmSync(path)
    mkdirSync(path)
    return jsonAnswer(200, PAYMENT)
  }

  test.each(['', ' -q', ' -q --json'])(
    'is reported with the response%s: the call succeeded, exit 0',
    async (way) => {
      const done = await pay(`payment refund p1 --amount 300${way}`, { service: withoutDisk })
      expect(done.exitCode).toBe(0)
      expect(done.stdout).toContain('p1')
      expect(done.stderr).toContain('Warning: The service responded, but the outcome could not be recorded')
    },
  )

  test('of a refusal leaves the write open: exit 10, with the refusal and the way on', async () => {
    const refused = await pay('payment refund p1 --amount 300 --json', {
      service: () => ({
        ...withoutDisk(),
        status: 422,
        body: '{"error":{"errorId":"UnprocessableRefundAmount","description":"Too much"}}',
      }),
    })
    expect(refused.exitCode).toBe(10)
    const { error } = JSON.parse(refused.stderr)
    expect(error).toMatchObject({
      code: 'outcome_unrecorded',
      outcome: 'unknown',
      errorId: 'UnprocessableRefundAmount',
    })
    expect(error.message).toMatch(/^The amount is more than what is left to refund\. Nothing was done/)
    expect(error.hint).toContain(`pay ops abandon ${error.operationId}`)
  })
})
