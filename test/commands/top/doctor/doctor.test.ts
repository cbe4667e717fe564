import { chmodSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { Diagnosis, CheckResult } from '../../../../src/views/top/doctor.ts'
import { createBench } from '../../../support/run-pay.ts'
import type { Bench, RunOptions } from '../../../support/run-pay.ts'
import { errorOf } from '../../../support/run-result.ts'

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

describe('pay doctor', () => {
  test('finds nothing on a healthy machine, sends nothing and creates nothing', async () => {
    const well = await diagnose()
    expect(well).toMatchObject({ exitCode: 0, problems: 0, warnings: 0, requests: [] })
    expect(well.findings.map(({ check }) => check)).toEqual([
      'node',
      'config folder',
      'profiles',
      'state folder',
      'account',
      'key',
      'mode',
      'network',
      'sandbox',
      'ledger',
    ])
    expect(readdirSync(bench.stateFolder)).toEqual([])
    expect(readdirSync(bench.configFolder)).toEqual([])
  })

  test('prints each finding with mark, word and remedy at any width', async () => {
    chmodSync(bench.configFolder, 0o755)
    for (const columns of [60, 80]) {
      const { stdout } = await bench.runPay('doctor', { tty: true, columns, env: { NO_COLOR: '1' } })
      const text = stdout.replaceAll(bench.folder, 'FOLDER')
      expect(text).toMatch(/^! warning {2}config folder {2}/m)
      expect(text).toMatch(/^ +\$ chmod 700 FOLDER\/config$/m)
      expect(text).toContain('No problems, 2 warnings.')
      const wide = text.split('\n').filter((line) => line.length > columns && !line.includes('FOLDER'))
      expect(wide).toEqual([])
    }
  })

  test('a missing account is a warning', async () => {
    const none = await diagnose('')
    expect(none).toMatchObject({ exitCode: 0, problems: 0, warnings: 1 })
    expect(none.findings).toContainEqual(
      expect.objectContaining({
        check: 'account',
        status: 'warning',
        next: expect.arrayContaining(['pay profile add NAME']),
      }),
    )
  })

  test('a problem exits 2, with the findings on stdout and its name on stderr', async () => {
    rmSync(bench.stateFolder, { recursive: true })
    writeFileSync(bench.stateFolder, '')
    const ill = await bench.runPay('doctor --sandbox --json')
    expect(ill.exitCode).toBe(2)
    expect(JSON.parse(ill.stdout)).toMatchObject({ problems: expect.any(Number) })
    expect(errorOf(ill)).toMatchObject({
      code: 'doctor_found',
      exitCode: 2,
      message: expect.stringContaining('state folder'),
    })
  })

  test('-o id prints the checks with findings', async () => {
    chmodSync(bench.configFolder, 0o755)
    expect((await bench.runPay('doctor --sandbox -o id')).stdout).toBe('config folder\n')
  })

  test.each([
    ['20.19.0', 'ok'],
    ['26.1.0', 'ok'],
    ['27.0.0', 'warning'],
  ])('rates Node %s: %s', async (nodeVersion, status) => {
    expect(await finding('node', '--sandbox', { nodeVersion })).toMatchObject({
      status,
      says: expect.stringContaining(nodeVersion),
    })
  })
})
