import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { ERROR_STATUS } from '../../src/api/error-ids.ts'
import { OPERATIONS } from '../../src/api/table.ts'
import { PAYMENT_SCENARIOS } from '../../src/sandbox/domain/scenarios/payment-scenarios.ts'
import { rowsOf } from '../support/markdown.ts'
import { ROOT } from '../support/spawn-pay.ts'
import { isTestThere } from './test-titles.ts'

const PAGE = readFileSync(join(ROOT, 'docs/reference/sandbox-rules.md'), 'utf8')
const RULES = rowsOf(PAGE).map(([rule = '', sections = '', proof = '']) => ({
  rule,
  sections: sections.split(', '),
  proof,
}))

const partsOf = (section: string, count: number) =>
  Array.from({ length: count }, (_, index) => `${section}.${index + 1}`)

/** Sections with requirements. 2.10 and 6 only say what they leave open; the others repeat everything in 1. */
const WITH_REQUIREMENTS = [
  ...partsOf('spec 2', 9),
  'spec 3',
  ...partsOf('spec 4', 14),
  ...partsOf('spec 4.2', 5),
  ...partsOf('spec 4.3', 5),
  ...partsOf('spec 5', 4),
  'spec 7',
  'spec 8',
  ...partsOf('spec 9', 6),
]

const SOURCES = new Map<string, string | undefined>()

function sourceOf(file: string): string | undefined {
  const path = join(ROOT, 'test/sandbox', `${file}.test.ts`)
  if (!SOURCES.has(file)) SOURCES.set(file, existsSync(path) ? readFileSync(path, 'utf8') : undefined)
  return SOURCES.get(file)
}

const namesOf = (proof: string): readonly [file: string, names: readonly string[]] => {
  const [, file = '', names = ''] = /^([\w/-]+): (.+)$/.exec(proof) ?? []
  return [file, names.split(' > ')]
}

test('the page has rules', () => expect(RULES.length).toBeGreaterThan(200))

test('every rule has its test', () => {
  const missing = RULES.filter(({ proof }) => {
    const [file, names] = namesOf(proof)
    const source = sourceOf(file)
    return source === undefined || !isTestThere(source, names)
  })
  expect(missing.map(({ rule, proof }) => `${rule}: ${proof}`)).toEqual([])
})

/** Tests of rules that run only in process, each with its reason. */
const IN_PROCESS: Readonly<Record<string, string>> = {
  'pipeline/any-request': 'test/fuzz does it over HTTP',
  'database/processes': 'about folders, and who opens them',
  'domain/checkout/offered-methods': 'a function alone',
  'domain/payment/money-invariants': 'test/histories does it over HTTP',
  'domain/payment/states': 'a table alone',
}

test('the tests of rules run over HTTP too', () => {
  const config = readFileSync(join(ROOT, 'vitest.deep.config.ts'), 'utf8')
  const files = [...new Set(RULES.map(({ proof }) => namesOf(proof)[0]))].filter(
    (file) => !file.startsWith('serve/'),
  )
  const inProcess = files.filter((file) => !config.includes(`  '${file}',\n`))
  const todo = 'add the file to RULES in vitest.deep.config.ts, or to IN_PROCESS here, with a reason'
  expect(inProcess.toSorted(), todo).toEqual(Object.keys(IN_PROCESS).toSorted())
})

test('every section is in the specification or the sandbox', () => {
  const others = [...partsOf('spec 1', 4), 'spec 2', 'spec 2.10', 'spec 4', 'spec 6']
  const sections = ['sandbox', ...WITH_REQUIREMENTS, ...others]
  expect(RULES.flatMap((rule) => rule.sections).filter((name) => !sections.includes(name))).toEqual([])
})

test('every section with requirements has a rule', () => {
  const named = new Set(RULES.flatMap(({ sections }) => sections))
  expect(WITH_REQUIREMENTS.filter((section) => !named.has(section))).toEqual([])
})

describe('there is a rule for every', () => {
  const words = new Set(RULES.flatMap(({ rule }) => rule.match(/[\w.]*\w/g) ?? []))

  test.each([
    ['operation', OPERATIONS.map(({ id }) => id)],
    ['error id', Object.keys(ERROR_STATUS)],
    ['token of a scenario', PAYMENT_SCENARIOS.map(({ token }) => token)],
  ])('%s', (_, needed: readonly string[]) => {
    expect(needed.length).toBeGreaterThan(10)
    expect(needed.filter((name) => !words.has(name))).toEqual([])
  })

  test('error id with its status', () => {
    const told = RULES.flatMap(({ rule }) => [...rule.matchAll(/(\w+) \((\d{3})\)/g)])
    const wrong = told.filter(([, id = '', status]) => Reflect.get(ERROR_STATUS, id) !== Number(status))
    expect(wrong.map(([text]) => text)).toEqual([])
    expect(told.length).toBeGreaterThan(30)
  })
})

describe('a test is there', () => {
  const source = `
const CASES = ['listed', 'elsewhere']
test.each(['of its own'])('alone %s', () => {})
describe('group', () => {
  test.each<[string, number]>([
    ['first', 1],
  ])('is %s', async (_, count) => {})
  test('named', { timeout: 1 }, async () => {})
})
describe.each(CASES)('each %s', (name) => {
  test(
    "quoted",
    async () => {},
  )
})
`
  test.each([
    [['alone %s', 'of its own'], true],
    [['group', 'is %s', 'first'], true],
    [['group', 'named'], true],
    [['each %s', 'quoted'], true],
    [['named'], false],
    [['group', 'quoted'], false],
    [['group', 'is %s', 'of its own'], false],
    [['listed'], false],
    [[''], false],
  ])('%j: %s', (names, isThere) => {
    expect(isTestThere(source, names)).toBe(isThere)
  })
})
