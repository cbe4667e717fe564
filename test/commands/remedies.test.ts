import { execFileSync, spawnSync } from 'node:child_process'
import { copyFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { fileURLToPath } from 'node:url'
import iconv from 'iconv-lite'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { TABLE_FLAGS } from '../../src/commands/table-flags.ts'
import { createBench } from '../support/run-pay.ts'
import type { Bench } from '../support/run-pay.ts'
import { EXPECTED } from './expected-files.ts'

/** Each remedy that an error names, typed as it stands: the same error must not come back. */

const FOLDER = fileURLToPath(new URL('../fixtures/files/', import.meta.url))

let bench: Bench
beforeEach(() => {
  bench = createBench()
})
afterEach(() => bench.dispose())

const HEAD = 'paymentId,amount,currencyCode,createdAt,order.id'
const CONST = '--const processor.name=ACME --const paymentMethod.paymentMethodType=PAYMENT_CARD'
const amounts = (...texts: readonly string[]): string =>
  [HEAD, ...texts.map((text, index) => `p${index},"${text}",EUR,2026-01-05T10:00:00Z,P-${index}`)].join('\n')
const times = (...texts: readonly string[]): string =>
  [HEAD, ...texts.map((text, index) => `p${index},700,EUR,${text},P-${index}`)].join('\n')

/** Files with one mistake each. */
const MISTAKES: Readonly<Record<string, string | Buffer>> = {
  'with-currency.csv': amounts('12.50 EUR', '€ 3.00'),
  'decimal-comma.csv': amounts('12,50', '3,00'),
  'decimal-comma-and-currency.csv': amounts('€ 12,50', '3,00 EUR'),
  'groups-and-comma.csv': amounts('1.240,50', '3,00'),
  'thousands.csv': amounts('1,240', '2,500'),
  'decimals.csv': amounts('12.50', '3.25'),
  'zero-decimals.csv': amounts('12.00', '1250.0'),
  'mixed.csv': amounts('20', '19.90'),
  'dash.csv': amounts('-', '$ -'),
  'delimiters.csv': 'a;b,c\n1;2,3\n',
  'title.csv': `Payments,of,May\n${amounts('700')}`,
  'months.csv': times('25/10/2025 10:00', '05/10/2025 10:00'),
  'compact.csv': times('20260105102233'),
  'no-zone.csv': times('2026-01-05 10:00:00'),
  'latin.csv': iconv.encode(`${HEAD},metadata.city\np1,700,EUR,2026-01-05T10:00:00Z,P-1,Köln\n`, 'cp1252'),
  'twice.csv': `${HEAD},amount\np1,700,EUR,2026-01-05T10:00:00Z,P-1,800\n`,
  'records.dat': amounts('700'),
}
const FLAGS: Readonly<Record<string, string>> = {
  'months.csv': `--date-format 'MM/dd/yyyy HH:mm' --assume-utc`,
}

/** The mistakes that only another cell mends. */
const WITHOUT_FLAGS = ['thousands.csv', 'dash.csv']

/** Values for flags that a hint names without one. */
const VALUES: Readonly<Record<string, string>> = {
  '--date-format': "'yyyy-MM-dd HH:mm:ss'",
  '--timezone': 'Europe/Berlin',
}

test.each(Object.entries(MISTAKES))('%s', async (name, content) => {
  writeFileSync(join(bench.folder, name), content)
  const followed = await followAll(`observability import ${name} ${CONST} ${FLAGS[name] ?? ''}`)
  expect(followed > 0).toBe(!WITHOUT_FLAGS.includes(name))
})

test.each(EXPECTED)('$file', async ({ file, job }) => {
  copyFileSync(join(FOLDER, file), join(bench.folder, file))
  await followAll(
    job === 'import' ? `observability import ${file} ${CONST}` : `batch plan ${job} ${file} --const reason=x`,
  )
})

/** Files that a template can't be made of, or only with a flag. */
const NO_TEMPLATES: Readonly<Record<string, string | Buffer>> = {
  'rows.ndjson': '{"paymentId":"p1","amount":700}\n',
  'rows.txt': '{"paymentId":"p1","amount":700}\n',
  'array.json': '[{"paymentId":"p1","amount":700}]\n',
  'quoted.csv': '"paymentId,amount"\n"p1,700"\n',
  'packed.csv': gzipSync('paymentId,amount\np1,700\n'),
  'empty.csv': '',
  'only-blanks.csv': '\n\n',
  'wide.csv': Buffer.from('\uFEFFpaymentId,amount\np1,700\n', 'utf16le'),
}
const JOBS = ['observability template', 'batch template', 'batch template --operation cancel'] as const

test.each(
  Object.entries({ ...MISTAKES, ...NO_TEMPLATES }).flatMap(([name, content]) =>
    JOBS.map((job) => ({ name, content, job })),
  ),
)('what $job says of $name', async ({ name, content, job }) => {
  writeFileSync(join(bench.folder, name), content)
  await followAll(`${job} ${name}`)
})

test('the hints of templates are followed', async () => {
  let followed = 0
  for (const [name, content] of Object.entries(NO_TEMPLATES)) {
    writeFileSync(join(bench.folder, name), content)
    for (const job of JOBS) followed += await followAll(`${job} ${name}`)
  }
  expect(followed).toBeGreaterThan(0)
})

test.each(['ab.csv', 'none.csv'])('what reconcile says of %s', async (name) => {
  writeFileSync(join(bench.folder, 'ab.csv'), 'a;b\n1;2\n')
  await followAll(`reconcile ${name}`)
})

test('another currency than the constant', async () => {
  writeFileSync(join(bench.folder, 'a.csv'), amounts('700').replace(',EUR', ',GBP'))
  await followAll(`observability import a.csv ${CONST} --const currencyCode=EUR`)
})

test.each([
  ['import', `observability import a.csv --encoding windows-1252 --delimiter '|' ${CONST} --skip-lines 1`],
  ['plan', "batch plan refund b.csv --encoding windows-1252 --delimiter '|' --skip-lines 1"],
])('the next command after an %s reads the rejects', async (_, command) => {
  const latin = (text: string) => iconv.encode(`Köln\n${text.replaceAll(',', '|')}`, 'cp1252')
  writeFileSync(join(bench.folder, 'a.csv'), latin(`${amounts('700', 'Köln')}\n`))
  writeFileSync(join(bench.folder, 'b.csv'), latin('orderId,amount,reason\nA-1,7.00 EUR,Köln\nA-2,x,Köln\n'))
  const { stderr } = await bench.runPay(`${command} --rejects r.csv --sandbox`)
  const next = /Next +pay (.*)/.exec(stderr)?.[1] ?? ''
  expect(next).toContain('r.csv')
  const ran = await bench.runPay(next)
  expect({ next, exitCode: ran.exitCode, stderr: ran.stderr }).toMatchObject({ next, exitCode: 14 })
})

/** Follows each remedy for what a command complains of, and returns their number. */
async function followAll(command: string): Promise<number> {
  let followed = 0
  for (const complaint of await complaintsOf(command))
    for (const next of remediesIn(`${complaint.complaint} ${complaint.hint}`, command)) {
      followed += 1
      expect({ next, complaints: await complaintsOf(next) }).not.toMatchObject({
        complaints: expect.arrayContaining([complaint]),
      })
    }
  return followed
}

interface Complaint {
  readonly complaint: string
  readonly hint: string
}

/** What a command says of the file, and what to do about it. */
async function complaintsOf(command: string): Promise<readonly Complaint[]> {
  const dryRun = / template |^reconcile /.test(command)
    ? ''
    : command.startsWith('batch')
      ? '--out plan.ndjson'
      : '--dry-run'
  const { stdout, stderr } = await bench.runPay(`${command} ${dryRun} --sandbox --json`)
  const last = stderr.trim().split('\n').at(-1) ?? ''
  const error: { error?: { message?: string; hint?: string } } = last.startsWith('{') ? JSON.parse(last) : {}
  const answer: { problems?: readonly { column?: string; problem: string; hint?: string }[] } =
    stdout === '' ? {} : JSON.parse(stdout)
  return [
    ...(error.error === undefined ? [] : [{ message: error.error.message, hint: error.error.hint }]),
    ...(answer.problems ?? []).map(({ column, problem, hint }) => ({
      message: `${column ?? 'the row'} ${problem}`,
      hint,
    })),
  ].flatMap(({ message, hint }) =>
    message === undefined || hint === undefined ? [] : [{ complaint: message, hint }],
  )
}

const SWITCHES: ReadonlySet<string> = new Set(
  Object.entries(TABLE_FLAGS).flatMap(([name, { kind }]) => (kind === 'switch' ? [`--${name}`] : [])),
)

/** The command with what the hint says. Leaves out words in capitals, which stand for what only the user knows. */
function remediesIn(hint: string, command: string): readonly string[] {
  const run = /Run: pay (?:--sandbox )?(.+)$/.exec(hint)?.[1]
  if (run !== undefined) return [run]
  // The user knows which column it is: take the last one.
  const added = /(\S+)\. Add --map orderId=COLUMN to: pay (?:--sandbox )?(.+)$/.exec(hint)
  if (added !== null) return [`${added[2]} --map orderId=${added[1]}`]
  const converted = /Convert it: (.*) > (\S+)$/.exec(hint)
  if (converted !== null) {
    const [, filter = '', made = ''] = converted
    if (spawnSync('sh', ['-c', `command -v ${filter.split(' ')[0]}`]).status !== 0) return []
    execFileSync('sh', ['-c', `${filter} > ${made}`], { cwd: bench.folder })
    return [command.replace(/(?<=(?:import|refund|template|cancel) )\S+/, made)]
  }
  const replaced = /(--map \S+) in place of (--const \S+)$/.exec(hint)
  if (replaced !== null) {
    const [, column = '', removed = ''] = replaced
    return [`${command.replace(removed, '')} ${column}`]
  }
  const groups = hint.match(/--[a-z-]+(?: (?:'[^']*'|"[^"]*"|[\w|;,=.#+/-]+))?(?: --[a-z-]+)*/g) ?? []
  return groups.flatMap((words) => {
    const [flag = ''] = words.split(' ')
    const value = /^\S+ (?!--)(.+)$/.exec(words)?.[1] ?? ''
    if (!Object.hasOwn(TABLE_FLAGS, flag.slice(2)) || flag === '--mapping') return []
    if (/[A-Z]{4}/.test(value)) return []
    if (SWITCHES.has(flag)) return [`${command} ${flag}`]
    const given = VALUES[flag]
    if (given !== undefined && !/^["']|\/|yyyy/.test(value)) return [`${command} ${flag} ${given}`]
    const text = value.replace(/[.,;:]$/, '')
    return text === '' ? [] : [`${command} ${flag} ${text}`]
  })
}
