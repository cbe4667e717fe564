import { copyFileSync, existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parse } from 'csv-parse/sync'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createBench } from '../support/run-pay.ts'
import type { Bench } from '../support/run-pay.ts'
import { EXPECTED } from './expected-files.ts'
import type { Expected } from './expected-files.ts'
import { SETTLEMENTS } from './expected-settlements.ts'

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
  expect(askedIn(printed)).toEqual(expect.arrayContaining([...asks]))
  if (rows === undefined && refused === undefined) return
  const command = answered(printed, expected, bench.folder)
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

describe('files of what providers settled', () => {
  let shop: Bench
  beforeAll(async () => {
    shop = await openShop()
  })
  afterAll(() => shop.dispose())

  test.each(SETTLEMENTS)('$file', async (expected) => {
    const { file, asks = [], rows } = expected
    copyFileSync(join(FOLDER, file), join(shop.folder, file))
    const suggested = await shop.runPay(`--sandbox reconcile ${file} --template`)
    const printed = suggested.stdout.trim().replace(/^pay /, '')
    expect(askedIn(printed), suggested.stderr).toEqual(expect.arrayContaining([...asks]))
    if (asks.length > 0) expect(await shop.runPay(printed)).toMatchObject({ exitCode: 2, requests: [] })
    if (rows === undefined) return
    const command = `${answered(printed, expected, shop.folder)} --from 2026-01-01 --to 2026-01-31`
    const people = await shop.runPay(command, { columns: 200 })
    const { stdout, stderr } = await shop.runPay(`${command} --json`)
    expect(people.stdout, stderr).not.toBe('')
    const { verdicts, totals }: Reconciled = JSON.parse(stdout)
    expect([
      ...Object.entries(verdicts).flatMap(([name, count]) => (count > 0 ? [`${count} ${name}`] : [])),
      ...[...people.stdout.matchAll(/^ *(\d+) +\d+ .*? {2}(\w+_\w+|twice|chargeback|unread) {2}/gm)].map(
        ([, row, verdict]) => `row ${row} ${verdict}`,
      ),
      ...totals.map(
        ({ currencyCode, kind, file: there, here }) => `${currencyCode} ${kind} ${there} ${here}`,
      ),
    ]).toEqual(rows)
  })
})

interface Reconciled {
  readonly verdicts: Readonly<Record<string, number>>
  readonly totals: readonly { currencyCode: string; kind: string; file: number; here: number }[]
}

/** A shop with payments and refunds in January, and one payment in February. */
async function openShop(): Promise<Bench> {
  const shop = createBench()
  const pay = async (line: string): Promise<string> =>
    (await shop.runPay(`--sandbox payment ${line} -q -y`)).stdout.trim()
  const create = (amount: string, order: string, token = 'tok_autocapture') =>
    pay(`create --token ${token} --amount '${amount}' --order-id ${order} -o id`)
  const on = (day: string) => {
    shop.clock.now = new Date(`${day}T10:00:00Z`)
  }
  on('2026-01-05')
  const [first, second] = [await create('89.00 EUR', 'R-1'), await create('15.50 EUR', 'R-2')]
  on('2026-01-10')
  await create('14.00 EUR', 'R-3')
  await create('1234.50 EUR', 'R-4')
  await create('20.00 EUR', 'R-5')
  const dollars = await create('30.00 USD', 'R-6')
  await create('5.00 EUR', 'R-7', 'tok_visa')
  await create('7.00 EUR', 'R-8', 'tok_declined')
  on('2026-01-12')
  await pay(`refund ${first} --amount '10.00 EUR'`)
  await pay(`refund ${second} --amount '15.50 EUR'`)
  await pay(`refund ${dollars} --amount '30.00 USD'`)
  on('2026-01-20')
  await pay(`refund ${first} --amount '10.00 EUR'`)
  on('2026-02-02')
  await create('3.00 EUR', 'R-9')
  on('2026-02-10')
  return shop
}

/** The fields and flags that a command leaves open. */
const askedIn = (command: string): readonly (string | undefined)[] =>
  [...command.matchAll(/(?:--(?:map|const) ["']?([\w.]+)=|(--[\w-]+) ["']?)…/g)].map(
    ([, field, flag]) => field ?? flag,
  )

/** The command with the user's answers in place of its questions. Writes the mapping file that an answer may need. */
function answered(printed: string, { answers = {}, mapping, also = {} }: Expected, folder: string): string {
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
    writeFileSync(join(folder, 'mapping.yaml'), mapping)
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
