import { existsSync, readFileSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path/posix'
import { fileURLToPath } from 'node:url'
import { parseSync, Visitor } from 'rolldown/utils'
import { describe, expect, test } from 'vitest'
import { SRC } from './rooms.ts'

const TEST = fileURLToPath(new URL('..', import.meta.url))
const PATHS = readdirSync(TEST, { recursive: true, encoding: 'utf8' })
  .map((path) => path.replaceAll('\\', '/'))
  .filter((path) => !/^(?:golden|fixtures)\b/.test(path))
const FILES = PATHS.filter((path) => /\.(?:ts|mjs|cjs)$/.test(path))
const FOLDERS = PATHS.filter((path) => statSync(join(TEST, path)).isDirectory())
const textOf = (path: string): string => readFileSync(join(TEST, path), 'utf8')

interface TestFacts {
  /** The modules that it mocks; `*` for a computed path. */
  readonly mocks: readonly string[]
  /** `test.only`, and `test.skip` without a comment that gives the reason. */
  readonly unexplained: readonly string[]
}

function factsOf(path: string, text: string): TestFacts {
  const { program } = parseSync(path, text)
  const mocks: string[] = []
  const unexplained: string[] = []
  const lines = text.split('\n')
  const hasReason = (start: number): boolean => {
    const line = text.slice(0, start).split('\n').length - 1
    return [lines[line - 1], lines[line]].some((one = '') => /\/\/|\*\//.test(one))
  }
  new Visitor({
    MemberExpression: ({ object, property, start }) => {
      if (object.type !== 'Identifier' || property.type !== 'Identifier') return
      if (!/^(?:describe|test|it|terminalTest)$/.test(object.name)) return
      const isUnexplainedSkip = /^(?:skip|todo|fails)$/.test(property.name) && !hasReason(start)
      if (property.name === 'only' || isUnexplainedSkip) unexplained.push(`${object.name}.${property.name}`)
    },
    CallExpression: ({ callee, arguments: [module] }) => {
      if (callee.type !== 'MemberExpression' || callee.object.type !== 'Identifier') return
      if (callee.object.name !== 'vi' || callee.property.type !== 'Identifier') return
      if (!/^(?:do)?[mM]ock$/.test(callee.property.name)) return
      mocks.push(module?.type === 'Literal' ? String(module.value) : '*')
    },
  }).visit(program)
  return { mocks, unexplained }
}

const FACTS = FILES.filter((path) => path.endsWith('.ts')).map(
  (path) => [path, factsOf(path, textOf(path))] as const,
)

describe('test files', () => {
  test('mock none of our own files', () => {
    const mocking = FACTS.filter(([, { mocks }]) => mocks.some((module) => /^[.*]/.test(module)))
    expect(mocking.map(([path]) => path)).toEqual([])
  })

  test('have no test.only, and no test.skip without a reason', () => {
    expect(FACTS.filter(([, { unexplained }]) => unexplained.length > 0)).toEqual([])
  })
})

describe('test folders', () => {
  test('named for a room of src mirror its folders', () => {
    const mirrors = FOLDERS.filter((path) => existsSync(join(SRC, path.split('/')[0] ?? '')))
    expect(mirrors.filter((path) => !existsSync(join(SRC, path)))).toEqual([])
  })
})

describe('the rules themselves', () => {
  test.each([
    ["test.only('x', () => {})", { unexplained: ['test.only'] }],
    ["test.skip('x', () => {})", { unexplained: ['test.skip'] }],
    ["// Windows has no signals.\ntest.skip('x', () => {})", { unexplained: [] }],
    ["test.skipIf(!hasStrace)('x', () => {})", { unexplained: [] }],
    ["vi.mock('../../src/http/client.ts')", { mocks: ['../../src/http/client.ts'] }],
    ["vi.doMock('node:fs')", { mocks: ['node:fs'] }],
    ['vi.mock(path)', { mocks: ['*'] }],
    ["const text = 'test.only()'", { unexplained: [], mocks: [] }],
  ])('see what is in %j', (source, facts) => {
    expect(factsOf('x.ts', source)).toMatchObject(facts)
  })
})
