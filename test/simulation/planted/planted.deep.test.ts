import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { z } from '../../../src/api/schema.ts'

const SCRIPT = fileURLToPath(new URL('../../../scripts/simulate.mjs', import.meta.url))
/** Each fault must be found within so many histories. */
const HISTORIES = 1500

const found = z.array(
  z.looseObject({ fault: z.string(), histories: z.number(), seed: z.optional(z.number()) }),
)

const simulate = (words: readonly string[]): Promise<string> =>
  new Promise((resolve, reject) => {
    execFile(process.execPath, [SCRIPT, ...words], (error, stdout, stderr) => {
      if (stdout === '') reject(new Error(stderr, { cause: error }))
      else resolve(stdout)
    })
  })

test.each([
  ['the pipeline and the ledger', []],
  ['batches', ['--batches']],
])(
  'every planted fault in %s is found',
  async (_, words) => {
    const stdout = await simulate([
      ...words,
      '--planted',
      '--quick',
      '--json',
      '--histories',
      String(HISTORIES),
    ])
    const faults = found.parse(JSON.parse(stdout))
    expect(faults.length).toBeGreaterThanOrEqual(7)
    expect(faults.filter(({ seed }) => seed === undefined).map(({ fault }) => fault)).toEqual([])
  },
  600_000,
)
