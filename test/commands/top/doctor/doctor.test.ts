import { chmodSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { errorOf } from '../../../support/run-result.ts'
import { useDoctor } from './use-doctor.ts'

const doctor = useDoctor()
const { diagnose, finding } = doctor

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
    expect(readdirSync(doctor.bench.stateFolder)).toEqual([])
    expect(readdirSync(doctor.bench.configFolder)).toEqual([])
  })

  test('prints each finding with mark, word and remedy at any width', async () => {
    chmodSync(doctor.bench.configFolder, 0o755)
    for (const columns of [60, 80]) {
      const { stdout } = await doctor.bench.runPay('doctor', { tty: true, columns, env: { NO_COLOR: '1' } })
      const text = stdout.replaceAll(doctor.bench.folder, 'FOLDER')
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
    rmSync(doctor.bench.stateFolder, { recursive: true })
    writeFileSync(doctor.bench.stateFolder, '')
    const ill = await doctor.bench.runPay('doctor --sandbox --json')
    expect(ill.exitCode).toBe(2)
    expect(JSON.parse(ill.stdout)).toMatchObject({ problems: expect.any(Number) })
    expect(errorOf(ill)).toMatchObject({
      code: 'doctor_found',
      exitCode: 2,
      message: expect.stringContaining('state folder'),
    })
  })

  test('-o id prints the checks with findings', async () => {
    chmodSync(doctor.bench.configFolder, 0o755)
    expect((await doctor.bench.runPay('doctor --sandbox -o id')).stdout).toBe('config folder\n')
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
