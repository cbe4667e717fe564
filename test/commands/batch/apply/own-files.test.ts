import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, describe, expect, test } from 'vitest'
import { planRow } from '../../../support/batch-plan.ts'
import { errorOf } from '../../../support/run-result.ts'
import { useApplyBench } from './bench.ts'

const bench = useApplyBench()
beforeEach(async () => {
  bench.plan([planRow(1, await bench.paid())])
})

const at = (name: string) => join(bench.folder, name)
/** The contents of all files of the bench but the sandbox's. */
const filesIn = (folder: string): readonly (readonly [string, string])[] =>
  readdirSync(folder, { withFileTypes: true })
    .filter(({ name }) => name !== 'sandbox')
    .flatMap((entry) => {
      const path = join(folder, entry.name)
      if (entry.isDirectory()) return filesIn(path)
      return entry.isFile() ? [[path, readFileSync(path, 'utf8')] as const] : []
    })

async function expectRefused(flags: string, code: string) {
  const before = filesIn(bench.folder)
  const r = await bench.apply(flags)
  expect(r).toMatchObject({ exitCode: 2, stdout: '', requests: [] })
  expect(errorOf(r)).toMatchObject({ code, outcome: 'none', hint: expect.any(String) })
  expect(filesIn(bench.folder)).toEqual(before)
}

describe.each(['--results', '--rejects'])('%s never replaces', (flag) => {
  test('a file that is not its own', async () => {
    writeFileSync(at('notes.txt'), 'notes')
    writeFileSync(at('other.plan.ndjson'), readFileSync(at('p.plan.ndjson')))
    for (const name of ['notes.txt', 'other.plan.ndjson'])
      await expectRefused(`${flag} ${name}`, 'unwritable_file')
  })

  test('anything in the folders of pay, nor adds to them, also through a link', async () => {
    mkdirSync(join(bench.stateFolder, 'batches'), { recursive: true })
    writeFileSync(join(bench.stateFolder, 'batches', 'empty'), '')
    symlinkSync(join(bench.stateFolder, 'batches'), at('linked'))
    for (const path of ['linked/empty', 'linked/new.csv', join(bench.stateFolder, 'new.csv')])
      await expectRefused(`${flag} ${path}`, 'unwritable_file')
  })

  test('what a link leads to', async () => {
    symlinkSync(at('target.csv'), at('link.csv'))
    await expectRefused(`${flag} link.csv`, 'unwritable_file')
    expect(existsSync(at('target.csv'))).toBe(false)
  })

  test('the plan, the input or the other file', async () => {
    await expectRefused(`${flag} p.plan.ndjson`, 'two_sources')
    await expectRefused(`${flag} refunds.csv`, 'two_sources')
    mkdirSync(at('folder'))
    symlinkSync(at('folder'), at('same'))
    await expectRefused('--results folder/new.csv --rejects same/new.csv', 'two_sources')
  })
})

test('its own files of an earlier run are replaced', async () => {
  await bench.refund(bench.lines('p.plan.ndjson')[1]?.match(/"paymentId":"(\w+)"/)?.[1] ?? '', '--amount 1')
  expect((await bench.apply('--results r.csv --rejects x.csv')).exitCode).toBe(14)
  const [results, rejects] = [bench.lines('r.csv'), bench.lines('x.csv')]
  expect([results.length, rejects.length]).toEqual([2, 2])
  expect((await bench.apply('--results r.csv --rejects x.csv')).exitCode).toBe(14)
  expect([bench.lines('r.csv'), bench.lines('x.csv')]).toEqual([results, rejects])
})

describe('before anything is sent', () => {
  const journal = () => join(bench.stateFolder, 'batches', 'plan-00000001.db')

  test('a journal that cannot be written is named', async () => {
    mkdirSync(journal(), { recursive: true })
    const r = await bench.apply()
    expect(r).toMatchObject({ exitCode: 2, requests: [] })
    expect(errorOf(r)).toMatchObject({
      message: expect.stringContaining(`${journal()} cannot be`),
      outcome: 'none',
    })
  })

  test.skipIf(process.platform === 'win32')('a journal behind a link is refused', async () => {
    mkdirSync(join(bench.stateFolder, 'batches'), { recursive: true, mode: 0o700 })
    symlinkSync(at('target'), journal())
    const r = await bench.apply()
    expect(r).toMatchObject({ exitCode: 2, requests: [] })
    expect(errorOf(r).message).toContain('it is a symbolic link')
    expect(existsSync(at('target'))).toBe(false)
  })

  test.skipIf(process.platform === 'win32')('a pipe in place of a plan is not waited for', async () => {
    execFileSync('mkfifo', [at('pipe')])
    const r = await bench.runPay('batch show pipe --json')
    expect(errorOf(r)).toMatchObject({ code: 'not_a_plan', exitCode: 2 })
  })
})
