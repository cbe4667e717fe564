import { copyFileSync, existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parse } from 'csv-parse/sync'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { createBench } from '../support/run-pay.ts'
import type { Bench } from '../support/run-pay.ts'
import { EXPECTED } from './expected-files.ts'
import type { Expected } from './expected-files.ts'

/** Files as people have them: what `template` prints for each of them, typed as it stands, reads them rightly or is a question. */

const FOLDER = fileURLToPath(new URL('../fixtures/files/', import.meta.url))

/** What no file says. */
const COMMON_ANSWERS = { 'processor.name': 'ACME', 'paymentMethod.paymentMethodType': 'PAYMENT_CARD' }

let bench: Bench
beforeEach(() => {
  bench = createBench()
})
afterEach(() => bench.dispose())

test.each(EXPECTED)('$file', async (expected) => {
  const { file, job, flags = '', refused, asks = [], rows, bad = {} } = expected
  copyFileSync(join(FOLDER, file), join(bench.folder, file))
  const template = job === 'import' ? 'observability template' : `batch template --operation ${job}`
  const suggested = expected.command ?? (await bench.runPay(`${template} ${file} ${flags}`))
  if (typeof suggested === 'object' && suggested.exitCode !== 0) {
    expect({ ...suggested, refused }).toMatchObject({ exitCode: 2, refused: expect.any(String) })
    expect(suggested.stderr).toContain(refused)
    return
  }
  const printed = typeof suggested === 'string' ? suggested : suggested.stdout.trim().replace(/^pay /, '')
  expect(printed).not.toContain('\n')
  const asked = [...printed.matchAll(/(?:--(?:map|const) ["']?([\w.]+)=|(--[\w-]+) ["']?)…/g)].map(
    ([, field, flag]) => field ?? flag,
  )
  expect(asked).toEqual(expect.arrayContaining([...asks]))
  if (rows === undefined && refused === undefined) return
  const command = answered(printed, expected)
  const ran = job === 'import' ? await imported(command) : await planned(command)
  if (refused !== undefined) {
    expect({ exitCode: ran.exitCode, stderr: ran.stderr }).toEqual({
      exitCode: 2,
      stderr: expect.stringContaining(refused),
    })
    return
  }
  expect({ rows: ran.rows, stderr: ran.stderr }).toMatchObject({ rows })
  expect(Object.keys(ran.bad)).toEqual(Object.keys(bad))
  for (const [row, words] of Object.entries(bad)) expect(ran.bad[row]).toContain(words)
})

/** The command with the user's answers in place of its questions. Writes the mapping file that an answer may need. */
function answered(printed: string, { answers = {}, mapping, also = {} }: Expected): string {
  const all: Readonly<Record<string, string>> = { ...COMMON_ANSWERS, ...answers }
  let needsMapping = false
  const useMapping = () => {
    needsMapping = true
    return ''
  }
  let command = printed
    .replaceAll(/--(map|const) ["']?([\w.]+)=…["']?/g, (_, flag: string, field: string) => {
      const answer = all[field]
      if (answer === undefined) throw new Error(`${field} is asked for: ${printed}`)
      if (answer === 'in the mapping') return useMapping()
      return answer.startsWith('=') ? `--map '${field}${answer}'` : `--${flag} '${field}=${answer}'`
    })
    .replaceAll(/(--[\w-]+) ["']?…["']?/g, (_, flag: string) => {
      if (flag === '--mapping') return useMapping()
      const answer = also[flag]
      if (answer === undefined) throw new Error(`${flag} is asked for: ${printed}`)
      return `${flag} '${answer}'`
    })
  if (needsMapping && mapping !== undefined) {
    writeFileSync(join(bench.folder, 'mapping.yaml'), mapping)
    command += ' --mapping mapping.yaml'
  }
  // "If they are local, replace --assume-utc with --timezone."
  if (also['--timezone'] !== undefined) command = command.replace(' --assume-utc', '')
  for (const [flag, value] of Object.entries(also))
    if (!command.includes(`${flag} `) && !command.endsWith(flag))
      command += value === '' ? ` ${flag}` : ` ${flag} '${value}'`
  return command
}

interface Ran {
  readonly exitCode: number
  readonly stderr: string
  readonly rows: readonly string[]
  readonly bad: Readonly<Record<string, string>>
}

/** Checks the file with the command as it stands, and then imports it. */
async function imported(command: string): Promise<Ran> {
  const checked = await bench.runPay(`${command} --sandbox`)
  expect(checked.requests).toEqual([])
  const sent = await bench.runPay(`${command.replace(' --dry-run', '')} --sandbox --results results.csv`)
  // What the check calls good is taken.
  expect({ exitCode: sent.exitCode, stderr: sent.stderr }).toMatchObject({ exitCode: checked.exitCode })
  const listed = await bench.runPay('--sandbox observability list --all -o ndjson')
  const records = listed.stdout.split('\n').filter((line) => line !== '')
  const bad: Record<string, string> = {}
  if (existsSync(join(bench.folder, 'results.csv')))
    for (const [row = '', , outcome, , message = ''] of resultsIn('results.csv'))
      if (outcome !== 'created') bad[row] = message
  return {
    exitCode: sent.exitCode,
    stderr: sent.stderr,
    bad,
    rows: records
      .map((line): Recorded => JSON.parse(line))
      .map(({ paymentId, amount, currencyCode, createdAt }) =>
        [paymentId, amount, currencyCode, createdAt].join(' '),
      )
      .toSorted(),
  }
}

interface Recorded {
  readonly paymentId: string
  readonly amount: number
  readonly currencyCode: string
  readonly createdAt: string
}

const resultsIn = (name: string): readonly (readonly string[])[] =>
  parse(readFileSync(join(bench.folder, name)), { from: 2 })

/** Plans the file. No payment exists, but the plan says what each row asks for. */
async function planned(command: string): Promise<Ran> {
  const { exitCode, stderr } = await bench.runPay(`${command} --sandbox --out plan.ndjson`)
  const path = join(bench.folder, 'plan.ndjson')
  const lines = existsSync(path) ? readFileSync(path, 'utf8').trim().split('\n') : []
  const rows = lines.map((line): PlannedRow => JSON.parse(line)).filter(({ type }) => type === 'row')
  return {
    exitCode,
    stderr,
    bad: Object.fromEntries(
      rows.flatMap(({ row, verdict, message = '' }) => (verdict === 'bad_row' ? [[row, message]] : [])),
    ),
    rows: rows
      .filter(({ verdict }) => verdict !== 'bad_row')
      .map(({ orderId, paymentId, takesAll, amount, currencyCode }) =>
        [orderId ?? paymentId, takesAll === true ? 'all' : amount, currencyCode].filter(Boolean).join(' '),
      ),
  }
}

interface PlannedRow {
  readonly type: string
  readonly row: number
  readonly verdict: string
  readonly message?: string
  readonly orderId?: string
  readonly paymentId?: string
  readonly amount?: number
  readonly currencyCode?: string
  readonly takesAll?: boolean
}
