import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { ROOT } from '../support/spawn-pay.ts'
import { readSource } from './source-facts.ts'
import { ENTRIES, FACTS, roomOf } from './rooms.ts'

/** Folders that compute and do nothing else: not even Node's own modules. */
const PURE = ['api', 'json', 'money', 'output', 'text', 'views', 'pages', 'errors.ts']

/** Each with its reason; one that is no longer needed fails too. */
const EXCEPTIONS: Readonly<Record<string, string>> = {
  'client/config/update-profiles.ts takes process.env':
    'conf asks for the home folder as it loads, which fails in a container without one',
  'files/program-path.ts takes process.env':
    'a program is started with the PATH of this process, and found by it',
  'store/sqlite.ts takes process.versions': 'node:sqlite is there from Node 22.13 on',
  'store/sqlite.ts takes process.getBuiltinModule': 'an import of node:sqlite would fail on Node 20',
  'store/sqlite.ts takes process.emitWarning': 'loading node:sqlite prints a warning that no one can act on',
}

/** Files that look for words in a message, each with its reason; one that is no longer needed fails too. */
const READS_WORDS: Readonly<Record<string, string>> = {
  'output/error-text.ts': 'says no sentence of the service twice',
  'output/jmespath.ts': 'takes the first words of jmespath off for a person, and decides nothing by them',
  'store/postgres-answers.ts': 'PgBouncer has one code for everything that it refuses itself',
}

/** Files that replace or remove others themselves, each with its reason; one that is no longer needed fails too. */
const REPLACES: Readonly<Record<string, string>> = {
  'client/ledger/damaged-file.ts': 'gives the rename to the one place',
  'commands/sandbox/ephemeral-folder.ts': 'a folder that may stay',
  'rows/batch/approve/signature-files.ts': 'a folder, with retries of Node',
  'rows/keep/run-database.ts': 'a database that may stay, and that this process has open',
  'store/file-lock.ts': 'a file that may stay, and that this process has open',
}

const unexcused = (faults: readonly string[]): readonly string[] =>
  [...new Set(faults)].filter((fault) => !Object.hasOwn(EXCEPTIONS, fault))

const takenFromWorld = [...FACTS]
  .filter(([path]) => !ENTRIES.includes(path) && !/^pages\/[a-z]+\/main\.tsx$/.test(path))
  .flatMap(([path, { takes }]) => takes.map((name) => `${path} takes ${name}`))

describe('imports', () => {
  test('say what they import: no computed paths', () => {
    expect(
      [...FACTS].filter(([, { imports }]) => imports.some(({ name }) => name === '*')).map(([path]) => path),
    ).toEqual([])
  })

  test('bring no part of Node into the folders that only compute', () => {
    const found = [...FACTS].filter(
      ([path, { imports }]) =>
        PURE.includes(roomOf(path)) && imports.some(({ name }) => name.startsWith('node:')),
    )
    expect(found.map(([path]) => path)).toEqual([])
  })
})

describe('files', () => {
  test('decide by codes, never by the words of a message', () => {
    const found = [...FACTS].flatMap(([path, { readsWords }]) =>
      readsWords.map((text) => [path, text] as const),
    )
    expect(found.filter(([path]) => !Object.hasOwn(READS_WORDS, path))).toEqual([])
    const needed = new Set(found.map(([path]) => path))
    expect(Object.keys(READS_WORDS).filter((path) => !needed.has(path))).toEqual([])
  })

  test('replace and remove files by one place, which waits for a virus scanner on Windows', () => {
    const found = [...FACTS.keys()].filter((path) =>
      /\b(?:rename|rm|unlink)Sync\b/.test(readFileSync(join(ROOT, 'src', path), 'utf8')),
    )
    expect(found.filter((path) => path !== 'files/replace-file.ts').toSorted()).toEqual(
      Object.keys(REPLACES).toSorted(),
    )
  })

  test('get the process, the clock and randomness: only the entries and the main file of a page use them directly', () => {
    expect(unexcused(takenFromWorld)).toEqual([])
  })
})

test('every exception is still needed', () => {
  const faults = new Set(takenFromWorld)
  expect(Object.keys(EXCEPTIONS).filter((fault) => !faults.has(fault))).toEqual([])
})

describe('the rules themselves', () => {
  test('see every kind of import', () => {
    const source = `import a from './a.ts'
      import type { B } from './b.ts'
      import './c.ts'
      export { d } from './d.ts'
      export const e = () => import('./e.ts')
      export const f = (name: string) => import(name)
      export type G = import('./g.ts').G
      export const text = "import h from './h.ts'" // import './i.ts'`
    expect(readSource('x.ts', source).imports.map(({ name }) => name)).toEqual(
      './a.ts ./b.ts ./c.ts ./d.ts ./e.ts * ./g.ts'.split(' '),
    )
  })

  test.each([
    ['process.exit(1)', { takes: ['process.exit'] }],
    ['const at = Date.now() + Math.random()', { takes: ['Date.now', 'Math.random'] }],
    ['const at = new Date()', { takes: ['new Date()'] }],
    [
      "if (error.message.includes('is required')) ask()",
      { readsWords: ["error.message.includes('is required')"] },
    ],
    [
      "const at = /position (\\d+)/.exec(error instanceof Error ? error.message : '')",
      { readsWords: [expect.anything()] },
    ],
    [
      'PATTERNS.some((pattern) => pattern.test(`${code} ${error.message}`))',
      { readsWords: [expect.anything()] },
    ],
    [
      "const { message } = error; const [, rest] = message.split(': ')",
      { readsWords: ["message.split(': ')"] },
    ],
    ["if (problem.description === 'is required') ask()", { readsWords: [expect.anything()] }],
    ["if (error?.message === 'gone') ask()", { readsWords: [expect.anything()] }],
    ["switch (error.message) { case 'gone': ask() }", { readsWords: ['error.message'] }],
    ["if (error.code === 'gone' || error.details.hint === undefined) ask()", { readsWords: [] }],
    ["tell(`It failed: ${error.message}`.trimEnd(), other.includes('x'))", { readsWords: [] }],
    ['const at = new Date(0), processed = { process: 1 }', { takes: [] }],
  ])('see what is wrong with %j', (source, facts) => {
    expect(readSource('x.ts', source)).toMatchObject(facts)
  })
})
