import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, describe, expect, test } from 'vitest'
import iconv from 'iconv-lite'
import { SERVICE_ENV, envelope } from '../../../support/error-envelope.ts'
import { csvOf, readTable } from '../../../support/import-bench.ts'
import { errorOf } from '../../../support/run-result.ts'
import { okay, useImportBench } from './import-bench.ts'
import { TransportFailure } from '../../../../src/client/http/transport-port.ts'
import type { HttpRequest, HttpResponse } from '../../../../src/client/http/transport-port.ts'
import { jsonAnswer } from '../../../support/run-pay.ts'

const { bench, write, withService, stateFiles, read } = useImportBench()

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
    expect(await withService(there, okay)).toMatchObject({ exitCode: 0, requests: [] })
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

  test('a part without rows is imported beside another one', async () => {
    const [header = ''] = csvOf(1).split('\n')
    const parts = ['a.csv', 'b.csv', 'c.csv', 'd.csv']
    for (const part of parts) write(part, `${header}\n`)
    const ran = await Promise.all(parts.map((part) => withService(`${part} --json`, okay)))
    expect(ran.map(({ exitCode }) => exitCode)).toEqual([0, 0, 0, 0])
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

const ROWS = 90

const CONST =
  '--const currencyCode=EUR --const paymentMethod.paymentMethodType=PAYPAL --const createdAt=2026-01-31T09:30:00Z --const order.id=A-1'

const WORDS = `rows.csv --mapping m.yaml ${CONST} --results results.csv --json`

/** Every third row is left out; so are the first ten and the last ten. */
const isKept = (row: number): boolean => row % 3 !== 0 && row > 10 && row <= ROWS - 10

const KEPT = Array.from({ length: ROWS }, (_, index) => index + 1).filter(isKept)

const LEFT_OUT = [{ column: 'Art', value: 'Gebühr', rows: ROWS - KEPT.length }]

function writeRows(encoding: string): void {
  const lines = Array.from({ length: ROWS }, (_, index) => {
    const row = index + 1
    return `ext-${row},7,Müller${'€'.repeat(row % 7)},"ä\r\nö",${isKept(row) ? 'Zählt' : 'Gebühr'}`
  })
  const text = `paymentId,amount,processor.name,metadata.note,Art\r\n${lines.join('\r\n')}\r\n`
  write('rows.csv', iconv.encode(text, encoding))
  write('m.yaml', `where: {Art: [Zählt]}\nencoding: ${encoding}\n`)
}

/** An import that Ctrl-C stopped at this request. */
async function stoppedAt(at: number): Promise<number> {
  const signal = new AbortController()
  const ran = await withService(
    `${WORDS} --concurrency 1`,
    (_, attempt) => {
      if (attempt === at) signal.abort('SIGINT')
      return okay()
    },
    { signal: signal.signal },
  )
  expect(ran, ran.stderr).toMatchObject({ exitCode: 130 })
  return readTable(bench().folder, 'results.csv').length
}

describe.each(['windows-1252', 'utf-16le', 'utf-16be', 'utf-8'])(
  'an interrupted import from %s',
  (encoding) => {
    test.each([1, 5, 20, KEPT.length])('resumes at the right row after request %i', async (at) => {
      writeRows(encoding)
      const reported = await stoppedAt(at)
      const again = await withService(WORDS, okay)
      expect(again.exitCode).toBe(0)
      expect(again.requests).toHaveLength(KEPT.length - reported)
      expect(JSON.parse(again.stdout)).toMatchObject({
        rows: KEPT.length,
        created: KEPT.length,
        leftOut: LEFT_OUT,
      })
      expect(readTable(bench().folder, 'results.csv').map(([row]) => Number(row))).toEqual(KEPT)
    })
  },
)

describe('another import begins', () => {
  test.each([
    ['another format of times', "--date-format 'yyyy-MM-dd HH:mm:ss'"],
    ['another zone', '--timezone Europe/Berlin'],
    ['decimal commas', '--decimal-comma'],
    ['another encoding', '--encoding windows-1254'],
  ])('with %s', async (_, flags) => {
    writeRows('windows-1252')
    await stoppedAt(20)
    const again = await withService(`${WORDS} ${flags}`, okay)
    expect(again.requests).toHaveLength(KEPT.length)
  })

  test.each([
    ['another where', 'where: {Art: [Zählt, Gebühr]}', ROWS],
    ['other values', 'where: {Art: [Zählt]}\nvalues: {status: {x: SETTLED}}', KEPT.length],
  ])('with %s', async (_, mapping, rows) => {
    writeRows('windows-1252')
    await stoppedAt(20)
    write('m.yaml', `${mapping}\nencoding: windows-1252\n`)
    const again = await withService(WORDS, okay)
    expect(again.requests).toHaveLength(rows)
  })
})

test('a trial counts what is left out once', async () => {
  writeRows('windows-1252')
  const trial = await withService(`${WORDS} --canary 5`, okay)
  expect(JSON.parse(trial.stdout)).toMatchObject({ rows: 5 })
  const rest = await withService(WORDS, okay)
  expect(JSON.parse(rest.stdout)).toMatchObject({ rows: KEPT.length, leftOut: LEFT_OUT })
})

describe('an import stops', () => {
  const unauthorized = jsonAnswer(401, envelope('Unauthorized'))

  test('with exit code 4 and without state if the key is refused from the start', async () => {
    write('rows.csv', csvOf(50))
    const ran = await withService('rows.csv --json', () => unauthorized)
    expect(ran).toMatchObject({ exitCode: 4, stdout: '' })
    expect(errorOf(ran)).toMatchObject({ code: 'unauthorized', exitCode: 4 })
    expect(stateFiles()).toEqual([])
    expect(ran.requests.length).toBeLessThanOrEqual(9)
  })

  test('with exit code 14 and a summary if the key is refused later; the same command resumes', async () => {
    write('rows.csv', csvOf(50))
    const words = 'rows.csv --results results.csv --json'
    const ran = await withService(words, (_, attempt) => (attempt > 20 ? unauthorized : okay()))
    expect(ran).toMatchObject({ exitCode: 14 })
    const { rows } = JSON.parse(ran.stdout)
    expect(rows).toBeGreaterThan(0)
    expect(JSON.parse(ran.stdout)).toMatchObject({ ended: 'unauthorized' })
    expect(errorOf(ran)).toMatchObject({
      code: 'unauthorized',
      exitCode: 14,
      errorId: 'Unauthorized',
      httpStatus: 401,
    })
    const again = await withService(words, okay)
    expect(again).toMatchObject({ exitCode: 0 })
    expect(again.stderr).toMatch(/Resuming: \d+ rows are done\./)
    expect(JSON.parse(again.stdout)).toMatchObject({ rows: 50, created: 50 })
    expect(readTable(bench().folder, 'results.csv').map(([row]) => Number(row))).toEqual(
      Array.from({ length: 50 }, (_, index) => index + 1),
    )
  })

  test('and resumes after the key of its profile was replaced', async () => {
    const add = 'profile add shop --base-url http://127.0.0.1:9 --test --api-key-stdin'
    await bench().runPay(add, { stdin: 'key-of-old-000000' })
    write('rows.csv', csvOf(30))
    const run = (service: (request: HttpRequest, attempt: number) => HttpResponse) =>
      bench().runPay('-p shop observability import rows.csv --json', { service })
    await run((_, attempt) => (attempt > 10 ? unauthorized : okay()))
    await bench().runPay('profile set shop --api-key-stdin', { stdin: 'key-of-new-111111' })
    const again = await run(okay)
    expect(JSON.parse(again.stdout)).toMatchObject({ rows: 30, created: 30 })
    expect(again.requests.length).toBeLessThan(30)
  })

  test('with exit code 9 if connections are refused', async () => {
    write('rows.csv', csvOf(5))
    const ran = await withService('rows.csv --json', () => {
      throw new TransportFailure('refused', false, '127.0.0.1:9 refused the connection')
    })
    expect(ran).toMatchObject({ exitCode: 9, stdout: '' })
  })

  test('at a quote that is never closed, after the rows before it', async () => {
    write('rows.csv', `${csvOf(3)}"ext-4,EUR\n`)
    const ran = await withService('rows.csv --json', okay)
    expect(ran).toMatchObject({ exitCode: 14 })
    expect(JSON.parse(ran.stdout)).toMatchObject({ rows: 3, created: 3, ended: 'unusable_file' })
    expect(errorOf(ran)).toMatchObject({ code: 'unusable_file', message: expect.stringContaining('Line 5') })
  })

  test('after --max-failures failures', async () => {
    write('rows.csv', csvOf(500))
    const refuse = () => jsonAnswer(422, envelope('RequestValidationError'))
    const ran = await withService('rows.csv --max-failures 5 --json', refuse)
    expect(ran).toMatchObject({ exitCode: 14 })
    expect(ran.requests.length).toBeLessThan(40)
    expect(JSON.parse(ran.stdout)).toMatchObject({ ended: 'max_failures' })
    expect(errorOf(ran)).toMatchObject({ code: 'max_failures', exitCode: 14 })
  })

  test('and names the row that exceeded --max-failures in the error, the summary and the results', async () => {
    write(
      'rows.csv',
      csvOf(50, (row) => (row === 2 ? -5 : 100)),
    )
    const words = 'rows.csv --max-failures 0 --results results.csv --rejects rejects.csv'
    const ran = await withService(`${words} --json`, okay)
    expect(ran).toMatchObject({ exitCode: 14 })
    const results = readTable(bench().folder, 'results.csv')
    expect(results).toContainEqual(['2', 'ext-2', 'failed', '', expect.stringContaining('is negative')])
    expect(JSON.parse(ran.stdout)).toMatchObject({ rows: results.length, failed: 1, ended: 'max_failures' })
    expect(errorOf(ran)).toMatchObject({
      message: expect.stringContaining('Stopped by --max-failures at row 2 (line 3) ext-2'),
      validationErrors: [
        { path: 'row 2 (line 3) ext-2', description: expect.stringContaining('is negative') },
      ],
    })
    expect(read('rejects.csv')).toContain('ext-2')
    const rest = await withService('rows.csv --results results.csv --rejects rejects.csv --json', okay)
    expect(JSON.parse(rest.stdout)).toMatchObject({ rows: 50, created: 49, failed: 1 })
    expect(readTable(bench().folder, 'results.csv').map(([row]) => Number(row))).toEqual(
      Array.from({ length: 50 }, (_, index) => index + 1),
    )
  })

  test('when the share of failures exceeds --max-failures', async () => {
    write('rows.csv', csvOf(2_000))
    const third = (_: unknown, attempt: number) =>
      attempt % 3 === 0 ? jsonAnswer(422, envelope('RequestValidationError')) : okay()
    expect(await withService('rows.csv --max-failures 50% --json', third)).toMatchObject({ exitCode: 14 })
    const ran = await withService('rows.csv --max-failures 20% --json --restart', third)
    expect(JSON.parse(ran.stdout)).toMatchObject({ ended: 'max_failures' })
    expect(ran.requests.length).toBeLessThan(200)
  })
})

test('an unexpected error: before any row was sent says that nothing changed', async () => {
  write('rows.csv', csvOf(3))
  const ran = await withService('rows.csv --results missing/rows.csv', okay)
  expect(ran).toMatchObject({ requests: [], exitCode: 2, stderr: expect.stringContaining('nothing changed') })
})
