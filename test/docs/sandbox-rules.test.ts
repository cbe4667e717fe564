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

/** How many numbered subsections a section of the specification has. */
const PARTS: Readonly<Record<string, number>> = {
  '': 9,
  1: 4,
  2: 10,
  4: 14,
  4.2: 5,
  4.3: 5,
  5: 4,
  9: 6,
}

/** `spec 4.2.3` is the third rule of section 4.2. */
function isSection(text: string): boolean {
  if (text === 'sandbox') return true
  const numbers = /^spec (\d+(?:\.\d+){0,2})$/.exec(text)?.[1]?.split('.')
  return (
    numbers?.every((number, depth) => {
      const last = PARTS[numbers.slice(0, depth).join('.')] ?? 0
      return Number(number) >= 1 && Number(number) <= last
    }) ?? false
  )
}

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
  expect(RULES.flatMap(({ sections }) => sections).filter((section) => !isSection(section))).toEqual([])
})

test('every section with requirements has a rule', () => {
  const named = new Set(RULES.flatMap(({ sections }) => sections))
  expect(WITH_REQUIREMENTS.filter((section) => !named.has(section))).toEqual([])
})

test('no rule is listed twice', () => {
  const said = RULES.map(({ rule }) =>
    rule
      .toLowerCase()
      .replaceAll(/[^\w]+/g, ' ')
      .trim(),
  )
  expect(said.filter((rule, at) => said.indexOf(rule) !== at)).toEqual([])
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

describe('a section', () => {
  test.each(['sandbox', 'spec 4', 'spec 4.14', 'spec 4.2.5', 'spec 5.2'])('%s is one', (text) => {
    expect(isSection(text)).toBe(true)
  })
  test.each(['spec 4.15', 'spec 4.2.6', 'spec 10', 'spec 3.1', 'spec 4.0', 'spec', '4.1', ''])(
    '%j is none',
    (text) => {
      expect(isSection(text)).toBe(false)
    },
  )
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
    [['alone %s']],
    [['alone %s', 'of its own']],
    [['group', 'is %s']],
    [['group', 'is %s', 'first']],
    [['group', 'named']],
    [['each %s', 'quoted']],
  ])('%j', (names) => {
    expect(isTestThere(source, names)).toBe(true)
  })

  test.each([
    [['alone']],
    [['alone %s', 'first']],
    [['named']],
    [['group']],
    [['group', 'quoted']],
    [['group', 'first']],
    [['group', 'is %s', 'of its own']],
    [['group', 'named', 'first']],
    [['each %s', 'named']],
    [['listed']],
    [['']],
  ])('and is not: %j', (names) => {
    expect(isTestThere(source, names)).toBe(false)
  })
})
