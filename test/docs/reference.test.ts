import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { afterEach, describe, expect, test } from 'vitest'
import { GLOBAL_FLAGS } from '../../src/cli/parse/command-flags.ts'
import type { GlobalFlag } from '../../src/cli/parse/command-flags.ts'
import { HELP_TOPICS } from '../../src/commands/top/help-topics.ts'
import { EXIT } from '../../src/errors.ts'
import { REFUSAL_CODES } from '../../src/client/calls/refusal.ts'
import { SCENARIOS } from '../../src/sandbox/domain/scenarios/scenarios.ts'
import { errorOf } from '../support/run-result.ts'
import { errorCodesOf } from './error-codes.ts'
import { DECLINE_CODES } from '../../src/views/payment/decline.ts'
import { RETRY_TEXTS } from '../../src/views/payment/decline.ts'
import { blocksOf, rowsOf } from '../support/markdown.ts'
import { ROOT } from '../support/spawn-pay.ts'
import { createBench } from '../support/run-pay.ts'

const REFERENCE = join(ROOT, 'docs/reference')
const page = (name: string): string => readFileSync(join(REFERENCE, name), 'utf8')
const sources = readdirSync(join(ROOT, 'src'), { recursive: true, encoding: 'utf8' })
  .filter((path) => path.endsWith('.ts'))
  .map((path) => readFileSync(join(ROOT, 'src', path), 'utf8'))

describe('errors.md', () => {
  const written = new Map(rowsOf(page('errors.md')).map(([code = '', exit]) => [code, Number(exit)]))
  const found = errorCodesOf(sources)

  test('lists exactly the codes in the source', () => {
    expect([...written.keys()].toSorted()).toEqual([...found.keys()].toSorted())
    expect(REFUSAL_CODES.filter((code) => !written.has(code))).toEqual([])
  })

  test('gives each code the exit code in the source', () => {
    expect(Object.fromEntries(written)).toEqual(expect.objectContaining(Object.fromEntries(found)))
  })
})

test.each([
  ['the page', () => rowsOf(page('exit-codes.md')).map(([cell = '']) => cell)],
  [
    'pay help exit-codes',
    () => [...(HELP_TOPICS['exit-codes'] ?? '').matchAll(/^ {2}(\d+) |(143):/gm)].flat(),
  ],
])('exit-codes.md: %s has every exit code', (_, cells) => {
  const numbers = cells()
    .flatMap((cell) => (/^ *\d+(, \d+)* *$/.test(cell ?? '') ? (cell ?? '').split(', ').map(Number) : []))
    .filter((code, at, all) => all.indexOf(code) === at)
  expect(numbers).toEqual(Object.values(EXIT))
})

describe('money.md', () => {
  const rows = rowsOf(page('money.md')).filter(([typed = '']) => typed.startsWith('--amount'))
  const bench = createBench()
  afterEach(() => bench.dispose())
  const AMOUNT_CODES = /^(amount_needs_currency|bad_amount|currency_conflict|unknown_currency)$/

  test('has rows', () => expect(rows.length).toBeGreaterThan(10))

  test.each(rows)('%s is %s', async (typed = '', sent = '') => {
    // A refund takes a plain integer without a currency; a create does not.
    const refund = `--sandbox payment refund some-id ${typed} --json`
    if (sent === 'exit 2') {
      const refused = await bench.runPay(refund)
      expect(refused, refused.stderr).toMatchObject({ exitCode: 2, requests: [] })
      expect(errorOf(refused)).toMatchObject({ code: expect.stringMatching(AMOUNT_CODES) })
      return
    }
    const ran = await bench.runPay(`${refund} --dry-run`)
    expect(ran, ran.stderr).toMatchObject({ exitCode: 0 })
    const [minor = '', currency] = sent.split(' ')
    expect(JSON.parse(ran.stdout)).toMatchObject({ body: { amount: Number(minor) } })
    if (currency !== undefined) expect(ran.stderr).toContain(currency)
  })
})

describe('environment.md', () => {
  const rows = rowsOf(page('environment.md'))
  const named = new Set(rows.flatMap(([cell = '']) => cell.split(', ')))

  test('lists every variable in the source and the help', () => {
    const inSource = sources.flatMap((text) => text.match(/\bPAY_[A-Z0-9_]+\b/g) ?? [])
    expect([...new Set(inSource)].filter((name) => !named.has(name))).toEqual([])
  })

  test('names the flag of each variable', () => {
    const pairs: readonly (readonly [string, GlobalFlag])[] = Object.entries(GLOBAL_FLAGS)
    for (const [flag, { environment }] of pairs) {
      if (environment === undefined) continue
      const row = rows.find(([cell = '']) => cell.split(', ').includes(environment.split(', ')[0] ?? ''))
      expect(row?.[1], environment).toBe(`--${flag}`)
    }
  })
})

/** Replaces the ids, which differ between runs. Everything else must match, including the order of fields. */
const withoutIds = (text: string): string =>
  text
    .replaceAll(/"(diagnosticsId|operationId|idempotencyKey)":"[^"]+"/g, '"$1":"ID"')
    .replaceAll(/payment get \w+/g, 'payment get ID')

test('output.md shows a real error', async () => {
  const bench = createBench()
  const shown: unknown = JSON.parse(
    blocksOf(page('output.md')).find(({ language }) => language === 'json')?.text ?? '',
  )
  const made = await bench.runPay(
    "--sandbox payment create --token tok_autocapture --amount '5.00 EUR' --order-id A-1 -o id",
  )
  const id = made.stdout.trim()
  const ran = await bench.runPay(`--sandbox payment refund ${id} --amount 9000 --json`)
  bench.dispose()
  expect(ran.exitCode).toBe(3)
  const line = ran.stderr.trim().split('\n').at(-1) ?? ''
  expect(withoutIds(line)).toBe(withoutIds(JSON.stringify(shown)))
})

describe('output.md', () => {
  const lists = rowsOf(page('output.md')).filter(([, columns = '']) => /^(?:\w+, )?[\w.]+, /.test(columns))
  const bench = createBench()
  afterEach(() => bench.dispose())

  test.each(lists)('%s has the columns of the page in CSV', async (names = '', cell = '') => {
    const columns = cell.replace(/;.*/, '').replaceAll(/ \([^)]*\)/g, '')
    await bench.runPay("--sandbox payment create --token tok_visa --amount '5.00 EUR' --order-id A-1")
    for (const name of names.split(', ')) {
      const more = { find: 'A-1', 'instrument list': '--customer-id c' }[name] ?? ''
      const ran = await bench.runPay(`--sandbox ${name} ${more} -o csv`)
      expect(ran.stdout.split(/\r?\n/)[0], name).toBe(columns.replaceAll(', ', ','))
    }
  })
})

test('sandbox.md lists the tokens and cards of the sandbox', () => {
  const rows = rowsOf(page('sandbox.md')).filter(([token = '']) => token.startsWith('tok_'))
  expect(rows).toEqual(
    SCENARIOS.paymentMethods.map(({ token, card, outcome }) => [token, card ?? '', outcome]),
  )
})

describe('payments.md', () => {
  const rows = rowsOf(page('payments.md'))
  const bench = createBench()
  afterEach(() => bench.dispose())

  test('lists every decline code with its meaning and whether to retry', () => {
    expect(rows.filter(([, , retry]) => Object.hasOwn(RETRY_TEXTS, retry ?? ''))).toEqual(
      Object.entries(DECLINE_CODES).map(([code, { means, retry }]) => [code, means, retry]),
    )
    const retries = rows.filter(
      ([cell = '', , more]) => more === undefined && Object.hasOwn(RETRY_TEXTS, cell),
    )
    const sorted = (words: readonly string[]) =>
      words.toSorted((one, other) => one.localeCompare(other, 'en'))
    expect(sorted(retries.map(([cell = '']) => cell))).toEqual(sorted(Object.keys(RETRY_TEXTS)))
  })

  test('names every part of an explanation', async () => {
    const made = await bench.runPay(
      '--sandbox payment create --token tok_declined --amount 500 --currency EUR --order-id A-1 -o id',
    )
    const told = await bench.runPay(`--sandbox payment explain ${made.stdout.trim()} --json`)
    const explanation: Record<string, unknown> = JSON.parse(told.stdout)
    const cells = new Map(rows.map(([part = '', words = '']) => [part, words]))
    for (const [part, value] of Object.entries(explanation)) {
      expect(cells.has(part), part).toBe(true)
      const inside: unknown = Array.isArray(value) ? value[0] : value
      if (part === 'payment' || part === 'ledger' || typeof inside !== 'object' || inside === null) continue
      for (const name of Object.keys(inside)) expect(cells.get(part), `${part}.${name}`).toContain(name)
    }
  })
})

const MARKDOWN = [
  'README.md',
  'CONTRIBUTING.md',
  'CHANGELOG.md',
  'SECURITY.md',
  ...['docs', 'docs/reference', 'docs/reference/commands', 'docs/decisions'].flatMap((folder) =>
    readdirSync(join(ROOT, folder))
      .filter((name) => name.endsWith('.md'))
      .map((name) => `${folder}/${name}`),
  ),
]

test.each(MARKDOWN)('%s has no broken relative links', (path) => {
  const text = readFileSync(join(ROOT, path), 'utf8')
  const missing = [...text.matchAll(/\]\((?!https?:)([^)#]+)\)/g)]
    .map(([, target = '']) => target)
    .filter((target) => !existsSync(join(ROOT, dirname(path), target)))
  expect(missing).toEqual([])
})

/** Files and folders of this repository that a page names in code marks, from its root. */
function missingFrom(markdown: string): readonly string[] {
  return [...markdown.matchAll(/`((?:src|bin|test|docs|scripts|bench|examples)\/[\w./-]+)`/g)]
    .map(([, path = '']) => path)
    .filter((path) => !existsSync(join(ROOT, path)))
}

test.each(['CONTRIBUTING.md', 'docs/architecture.md'])('%s names files that exist', (path) => {
  const text = readFileSync(join(ROOT, path), 'utf8')
  expect(missingFrom(text)).toEqual([])
  // The check notices one that does not.
  expect(missingFrom(`${text}\nSee \`src/cli/gone.ts\`.`)).toEqual(['src/cli/gone.ts'])
})
