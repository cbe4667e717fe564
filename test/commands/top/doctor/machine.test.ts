import { appendFileSync, chmodSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { TransportFailure } from '../../../../src/http/transport-port.ts'
import type { Diagnosis, CheckResult } from '../../../../src/views/top/doctor.ts'
import { createBench } from '../../../support/run-pay.ts'
import type { Bench, RunOptions } from '../../../support/run-pay.ts'

let bench: Bench

beforeEach(() => {
  bench = createBench()
})

afterEach(() => {
  bench.dispose()
})

const KEY = 'key-of-the-shop-0123456789'

async function diagnose(words = '--sandbox', options: RunOptions = {}) {
  const ran = await bench.runPay(`doctor ${words} --json`, options)
  const diagnosis: Diagnosis = JSON.parse(ran.stdout)
  expect(ran.stdout + ran.stderr).not.toContain(KEY)
  return { ...ran, ...diagnosis }
}

async function finding(
  check: string,
  words?: string,
  options?: RunOptions,
): Promise<CheckResult | undefined> {
  return (await diagnose(words, options)).findings.find((found) => found.check === check)
}

describe('local checks', () => {
  const create = () =>
    bench.runPay("--sandbox payment create --token tok_visa --amount '10.00 EUR' --order-id A-1")

  test('show a write in doubt with the command that resolves it', async () => {
    const service = () => {
      throw new TransportFailure('timeout', true, 'no answer')
    }
    await bench.runPay('--sandbox payment refund p1 --amount 500 --max-retries 0', { service })
    const { findings, exitCode } = await diagnose()
    expect(exitCode).toBe(0)
    expect(findings.find(({ check }) => check === 'open write')).toMatchObject({
      status: 'warning',
      says: expect.stringContaining('payment.refund'),
      next: [expect.stringMatching(/^pay ops resolve [\w-]+$/)],
    })
  })

  test('warn about a damaged record, which blocks its target', async () => {
    mkdirSync(join(bench.stateFolder, 'ledger/open'), { recursive: true, mode: 0o700 })
    writeFileSync(join(bench.stateFolder, 'ledger/open/0123abcd.json'), '{"half')
    const found = (await diagnose()).findings.filter(({ check }) => check === 'ledger')
    expect(found).toContainEqual(
      expect.objectContaining({
        status: 'warning',
        next: ['pay ops show 0123abcd', 'pay ops abandon 0123abcd'],
      }),
    )
  })

  test('check the sandbox in use; a file that is not a database is a problem', async () => {
    await create()
    const path = join(bench.stateFolder, 'sandbox/sandbox.db')
    expect(await finding('sandbox')).toMatchObject({ status: 'ok', says: path })
    writeFileSync(path, 'nothing')
    expect(await finding('sandbox')).toMatchObject({ status: 'problem', next: ['pay sandbox reset'] })
  })

  test('warn about a folder that others can read, with the command that closes it', async () => {
    chmodSync(bench.stateFolder, 0o755)
    expect(await finding('state folder')).toMatchObject({
      status: 'warning',
      next: [`chmod 700 ${bench.stateFolder}`],
    })
  })

  test('accept missing folders', async () => {
    rmSync(bench.configFolder, { recursive: true })
    expect(await finding('config folder')).toMatchObject({
      status: 'ok',
      says: expect.stringContaining('does not exist yet'),
    })
  })

  test('do not change the ledger', async () => {
    await create()
    const folder = join(bench.stateFolder, 'ledger')
    appendFileSync(join(folder, 'open', 'new-1-x.abcd'), 'left by a crash')
    await diagnose()
    expect(readdirSync(join(folder, 'open'))).toContain('new-1-x.abcd')
  })
})
