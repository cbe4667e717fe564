import { expect, test } from 'vitest'
import { FILES, OWN_IMPORTS, textOf } from './rooms.ts'

test('the desk sends nothing but reads: an action is a command line for run()', async () => {
  const desk = FILES.filter((path) => path.startsWith('commands/desk/'))
  const taken = desk.flatMap((path) =>
    [...textOf(path).matchAll(/import (type )?\{([^}]*)\} from '[./]*\/api\/operations\/([\w-]+)\.ts'/g)].map(
      ([, , names = '', file = '']) => ({ file, names: names.split(',').map((name) => name.trim()) }),
    ),
  )
  const risks = await Promise.all(
    taken.map(async ({ file, names }) => {
      const operations: Readonly<Record<string, unknown>> = await import(
        `../../src/api/operations/${file}.ts`
      )
      return names.map((name) => [name, operations[name]])
    }),
  )
  expect(risks.flat()).not.toEqual([])
  for (const [name, operation] of risks.flat())
    expect(operation, String(name)).toMatchObject({ risk: 'read' })
  const other = /^(?:calls\/(?:client|recovery)|api\/table|cli\/(?:operate|resolve-open)|bulk|batch|http)\b/
  expect(OWN_IMPORTS.filter(([from, to]) => desk.includes(from) && other.test(to))).toEqual([])
})
