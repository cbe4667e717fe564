import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { z } from '../../src/api/schema.ts'

const edit = { file: z.string(), from: z.string(), to: z.string() }
const faults = z.array(z.looseObject({ ...edit, name: z.string(), and: z.optional(z.array(z.object(edit))) }))

/** The paths are not literals: the lists are JavaScript, and have no types. */
const faultsIn = async (path: string) => {
  const [list] = Object.values(await import(new URL(path, import.meta.url).href))
  return faults.parse(list)
}

// A run with the faults takes minutes. This immediately finds a fault that doesn't match its source.
describe.each([
  ['durability', await faultsIn('planted-faults.mjs')],
  ['simulation', await faultsIn('../simulation/planted/planted-faults.mjs')],
  ['batches', await faultsIn('../simulation/planted/planted-batch-faults.mjs')],
])('each planted fault of %s', (_, listed) => {
  test.each(listed)('replaces a text that occurs exactly once: $name', ({ file, from, to, and = [] }) => {
    for (const one of [{ file, from, to }, ...and]) {
      expect(readFileSync(one.file, 'utf8').split(one.from), one.from).toHaveLength(2)
      expect(one.to).not.toBe(one.from)
    }
  })

  test('has its own name', () => {
    expect(listed.length).toBeGreaterThan(0)
    expect(new Set(listed.map(({ name }) => name)).size).toBe(listed.length)
  })
})
