import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { SERVICE_ENV } from '../../support/error-envelope.ts'
import { csvOf } from '../../support/import-bench.ts'
import { jsonAnswer } from '../../support/run-pay.ts'
import { errorOf } from '../../support/run-result.ts'
import { useBench } from '../../support/use-bench.ts'

const bench = useBench()
const created = jsonAnswer(200, {})
const RESUMES = 'The same command continues after those that are done.'

test('an unexpected error after rows were sent does not say that nothing changed', async () => {
  writeFileSync(join(bench.folder, 'rows.csv'), csvOf(5))
  const imported = await bench.runPay('observability import rows.csv', {
    env: SERVICE_ENV,
    service: () => created,
    close: async () => {
      throw new Error('EBUSY: resource busy or locked')
    },
  })
  expect(imported).toMatchObject({ exitCode: 1, stderr: expect.stringContaining('Unexpected error: EBUSY') })
  expect(imported.stderr).not.toContain('nothing changed')
  expect(imported.stderr.replaceAll(/\s+/g, ' ')).toContain(RESUMES)
})

test('an import that is interrupted and cannot write its results does not say that nothing changed', async () => {
  writeFileSync(join(bench.folder, 'rows.csv'), csvOf(200))
  const results = join(bench.folder, 'results.csv')
  const interruption = new AbortController()
  const imported = await bench.runPay('observability import rows.csv --results results.csv --json', {
    env: SERVICE_ENV,
    signal: interruption.signal,
    service: (_, attempt) => {
      if (attempt === 20) {
        rmSync(results)
        mkdirSync(results)
        interruption.abort()
      }
      return created
    },
  })
  expect(imported.exitCode).toBe(14)
  const error = errorOf(imported)
  expect(error).toMatchObject({ code: 'unwritable_file', hint: expect.stringContaining(RESUMES) })
  expect(error.outcome).toBeUndefined()
})
