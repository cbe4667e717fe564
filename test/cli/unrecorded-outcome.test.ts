import { mkdirSync, renameSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { afterEach, describe, expect, test } from 'vitest'
import { ledgerPath } from '../../src/client/ledger/ledger-file.ts'
import { loadSqlite } from '../../src/store/sqlite.ts'
import type { SqliteConnection } from '../../src/store/sqlite.ts'
import type { HttpRequest, HttpResponse } from '../../src/client/http/transport-port.ts'
import { jsonAnswer } from '../support/run-pay.ts'
import { useBench } from '../support/use-bench.ts'
import type { RunOptions } from '../support/run-pay.ts'

const PAYMENT = { id: 'p1', status: 'SETTLED', currencyCode: 'EUR', amount: 1_000 }

const bench = useBench({})
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
      expect(done).toMatchObject({ exitCode: 0, stdout: expect.stringContaining('p1') })
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

describe('a ledger that fails while a write is under way', () => {
  const changed = (sql: string) => {
    const database = loadSqlite()(ledgerPath(bench.stateFolder))
    database.exec(sql)
    database.close()
  }
  let lock: SqliteConnection | undefined
  afterEach(() => {
    lock?.close()
    lock = undefined
  })
  const FAILURES = {
    deleted: () => rmSync(ledgerPath(bench.stateFolder)),
    replaced: () => {
      writeFileSync(`${ledgerPath(bench.stateFolder)}.new`, '')
      renameSync(`${ledgerPath(bench.stateFolder)}.new`, ledgerPath(bench.stateFolder))
    },
    truncated: () => truncateSync(ledgerPath(bench.stateFolder)),
    emptied: () => changed('DELETE FROM writes'),
    locked: () => {
      lock = loadSqlite()(ledgerPath(bench.stateFolder))
      lock.exec('BEGIN EXCLUSIVE')
    },
  }
  type Failure = keyof typeof FAILURES
  const refused = (status: number): HttpResponse => ({
    status,
    headers: {},
    body: '{"error":{"errorId":"UnprocessableRefundAmount","description":"Too much"}}',
  })
  const refundWhile = (failure: Failure, answer: () => HttpResponse, flags = '') =>
    pay(`payment refund p1 --amount 300 --max-retries 0${flags}`, {
      service: (request: HttpRequest) => {
        if (request.method === 'POST') FAILURES[failure]()
        return answer()
      },
    })
  const NEVER_SAID = /othing was sent|taken (it |the write )?over/

  test.each(['deleted', 'replaced', 'truncated', 'emptied', 'locked'] as const)(
    'is named, with its path: %s',
    async (failure) => {
      const done = await refundWhile(failure, () => jsonAnswer(200, PAYMENT))
      expect(done.exitCode).toBe(0)
      expect(done.stderr).toContain('The service responded, but the outcome could not be recorded')
      expect(done.stderr).toContain(ledgerPath(bench.stateFolder))
      expect(done.stderr).not.toMatch(NEVER_SAID)
    },
  )

  test.each([
    ['deleted', 10, 'outcome_unrecorded'],
    ['replaced', 10, 'outcome_unrecorded'],
    ['locked', 10, 'outcome_unrecorded'],
    // What the ledger doesn't have, nothing sends.
    ['truncated', 3, 'refund_exceeds_remaining'],
    ['emptied', 3, 'refund_exceeds_remaining'],
  ] as const)('after a refusal: %s', async (failure, exitCode, code) => {
    const ran = await refundWhile(failure, () => refused(422), ' --json')
    expect(ran.exitCode).toBe(exitCode)
    expect(ran.stderr).not.toMatch(NEVER_SAID)
    const { error } = JSON.parse(ran.stderr)
    expect(error).toMatchObject({ code, errorId: 'UnprocessableRefundAmount' })
    expect(JSON.stringify(error)).toContain(ledgerPath(bench.stateFolder))
    expect(JSON.stringify(error).includes('pay ops abandon')).toBe(exitCode === 10)
  })

  test.each(['deleted', 'replaced', 'truncated', 'emptied', 'locked'] as const)(
    'after no usable response: %s',
    async (failure) => {
      const ran = await refundWhile(failure, () => refused(500), ' --json')
      expect(ran.exitCode).toBe(10)
      expect(ran.stderr).not.toMatch(NEVER_SAID)
      const { error } = JSON.parse(ran.stderr)
      expect(error).toMatchObject({ code: 'outcome_unknown', outcome: 'unknown' })
      expect(error.hint).toContain(ledgerPath(bench.stateFolder))
      expect(error.hint).not.toContain('stays open')
      // Neither can help where there is no record, or where nobody knows.
      expect(error.next).not.toContainEqual(expect.stringContaining('pay ops resolve'))
      expect(ran.stderr).not.toContain('no usable response came back')
    },
  )

  test('before anything was sent says only that', async () => {
    FAILURES.locked()
    const ran = await pay('payment refund p1 --amount 300')
    expect(ran).toMatchObject({ exitCode: 6, requests: [] })
    expect(ran.stderr).toContain('Another process keeps the ledger locked')
    expect(ran.stderr).toContain('nothing changed and no money moved')
  })
})
