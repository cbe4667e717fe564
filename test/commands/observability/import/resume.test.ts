import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, describe, expect, test } from 'vitest'
import { SERVICE_ENV } from '../../../support/error-envelope.ts'
import { csvOf, readTable } from '../../../support/import-bench.ts'
import { errorOf } from '../../../support/run-result.ts'
import { okay, useImportBench } from './import-bench.ts'

const { bench, write, withService, stateFiles } = useImportBench()

describe('resuming', () => {
  const words = 'rows.csv --results results.csv --json'
  /** An import that Ctrl-C stopped at its twentieth request. */
  async function stopped(more = words): Promise<void> {
    const signal = new AbortController()
    const ran = await withService(
      more,
      (_, attempt) => {
        if (attempt === 20) signal.abort('SIGINT')
        return okay()
      },
      { signal: signal.signal },
    )
    expect(ran).toMatchObject({ exitCode: 130 })
    expect(JSON.parse(ran.stdout)).toMatchObject({ ended: 'interrupted', failed: 0, unknown: 0 })
    expect(errorOf(ran)).toMatchObject({ code: 'interrupted', exitCode: 130 })
    expect(ran.stderr).toContain('sending no new rows')
    expect(ran.requests.length).toBeLessThan(40)
  }
  beforeEach(() => write('rows.csv', csvOf(60)))

  test('after Ctrl-C sends no row twice', async () => {
    await stopped()
    const reported = readTable(bench().folder, 'results.csv').length
    const again = await withService(words, okay)
    expect(JSON.parse(again.stdout)).toMatchObject({ rows: 60, created: 60 })
    expect(again.requests).toHaveLength(60 - reported)
  })

  test.each([
    [
      'another file',
      () =>
        write(
          'rows.csv',
          csvOf(60, () => 7),
        ),
      words,
    ],
    ['another mapping', () => {}, 'rows.csv --const metadata.a=b --results results.csv --json'],
    ['amounts in other units', () => {}, 'rows.csv --amounts major --results results.csv --json'],
    ['another --on-exists', () => {}, 'rows.csv --on-exists skip --results results.csv --json'],
    ['another part of it', () => {}, 'rows.csv --shard 1/1 --on-exists fail --results results.csv --json'],
  ])('%s starts another import', async (_, change, other) => {
    await stopped()
    change()
    const again = await withService(other, okay)
    expect(JSON.parse(again.stdout)).toMatchObject({ rows: 60, created: 60 })
    expect(again.requests).toHaveLength(60)
  })

  test('another account starts another import', async () => {
    await stopped()
    const env = { ...SERVICE_ENV, PAY_API_KEY: 'key_of_another_1111' }
    expect((await withService(words, okay, { env })).requests).toHaveLength(60)
  })

  test('with --restart starts over', async () => {
    await stopped()
    const again = await withService(`${words} --restart`, okay)
    expect(again.requests).toHaveLength(60)
    expect(readTable(bench().folder, 'results.csv')).toHaveLength(60)
  })

  test.each([
    ['other results', 'rows.csv --results other.csv --rejects bad.csv --json', 'other.csv'],
    ['results that were removed', words, 'results.csv'],
  ])('with %s writes every row into them', async (_, other, name) => {
    await stopped()
    rmSync(join(bench().folder, 'results.csv'))
    const again = await withService(other, okay)
    expect(again).toMatchObject({ exitCode: 0 })
    expect(again.requests.length).toBeLessThan(60)
    expect(readTable(bench().folder, name).map(([row]) => Number(row))).toEqual(
      Array.from({ length: 60 }, (__, index) => index + 1),
    )
  })

  test('does not overwrite what is no results file', async () => {
    await stopped()
    write('results.csv', 'notes\n'.repeat(1_000))
    const again = await withService(words, okay)
    expect(again).toMatchObject({ exitCode: 2, requests: [] })
    expect(errorOf(again)).toMatchObject({ code: 'unwritable_file' })
  })

  test('from a damaged file of a run is refused; --restart starts over', async () => {
    await stopped()
    for (const name of stateFiles())
      writeFileSync(join(bench().stateFolder, 'imports', name), 'no database'.repeat(1_000))
    const again = await withService(words, okay)
    expect(errorOf(again)).toMatchObject({ code: 'run_damaged', exitCode: 6 })
    expect((await withService(`${words} --restart`, okay)).requests).toHaveLength(60)
    expect(stateFiles()).toEqual([])
  })

  test('writes the results again if only they could not be written', async () => {
    mkdirSync(join(bench().folder, 'there'))
    const there = 'rows.csv --results there/results.csv --json'
    const cut = await withService(there, (_, attempt) => {
      if (attempt === 40) rmSync(join(bench().folder, 'there'), { recursive: true })
      return okay()
    })
    expect(cut).toMatchObject({ exitCode: 14 })
    expect(errorOf(cut)).toMatchObject({ code: 'unwritable_file' })
    expect(JSON.parse(cut.stdout)).toMatchObject({ rows: 60, created: 60 })
    mkdirSync(join(bench().folder, 'there'))
    const again = await withService(there, okay)
    expect(again).toMatchObject({ exitCode: 0, requests: [] })
    expect(readTable(bench().folder, 'there/results.csv')).toHaveLength(60)
    expect(stateFiles()).toEqual([])
  })
})

describe('while another process imports', () => {
  test('the same import is refused with exit code 6 until the other one ends', async () => {
    write('rows.csv', csvOf(3))
    let inside: Awaited<ReturnType<typeof withService>> | undefined
    const ran = await withService('rows.csv --json', async () => {
      inside ??= await withService('rows.csv --json', okay)
      return okay()
    })
    expect(inside).toMatchObject({ exitCode: 6, stdout: '', requests: [] })
    expect(errorOf({ stderr: inside?.stderr ?? '' })).toMatchObject({
      code: 'import_running',
      retryable: true,
    })
    expect(ran).toMatchObject({ exitCode: 0 })
    expect(await withService('rows.csv', okay)).toMatchObject({ exitCode: 0 })
  })

  test('another import with the same results file is refused', async () => {
    write('rows.csv', csvOf(3))
    write('other.csv', csvOf(4))
    let inside: Awaited<ReturnType<typeof withService>> | undefined
    await withService('rows.csv --results r.csv', async () => {
      inside ??= await withService('other.csv --results r.csv --json', okay)
      return okay()
    })
    expect(inside).toMatchObject({ exitCode: 6, requests: [] })
    expect(inside?.stderr).toContain('r.csv')
    expect(readTable(bench().folder, 'r.csv')).toHaveLength(3)
  })
})
