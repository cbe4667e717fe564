import {
  appendFileSync,
  existsSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  renameSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { SERVICE_ENV } from '../support/error-envelope.ts'
import { jsonAnswer } from '../support/run-pay.ts'
import type { RunOptions } from '../support/run-pay.ts'
import { useBench } from '../support/use-bench.ts'

const bench = useBench()

const queryOf = (url: string) => Object.fromEntries(new URL(url).searchParams)

/** A service with 250 payments, in pages; `fails` makes a request fail by its cursor. */
const withPayments = (fails: (cursor: number) => boolean = () => false): RunOptions => ({
  env: SERVICE_ENV,
  service: ({ url }) => {
    const from = Number(queryOf(url)['cursor'] ?? 0)
    if (fails(from)) return jsonAnswer(503, {})
    const to = Math.min(from + 100, 250)
    const data = Array.from({ length: to - from }, (_, index) => ({ id: `p${from + index}` }))
    return jsonAnswer(200, { data, ...(to < 250 ? { nextCursor: String(to) } : {}) })
  },
})

const pathOf = (name: string) => join(bench.folder, name)
const bytesAt = (name: string) => readFileSync(pathOf(name))
const runFiles = () =>
  readdirSync(join(bench.stateFolder, 'lists')).map((name) => join(bench.stateFolder, 'lists', name))
const list = (words: string, options = withPayments()) =>
  bench.runPay(`payment list --all --max-retries 0 ${words}`, options)
/** Writes pages until the service fails after the second one. */
const interruptedAt = (name: string, words = '') =>
  list(
    `--out ${name} ${words}`,
    withPayments((cursor) => cursor === 200),
  )

describe('a whole list', () => {
  test.each(['ndjson', 'csv'])('has what -o %s prints', async (format) => {
    const printed = await list(`-o ${format}`)
    expect(await list(`--out all.${format}`)).toMatchObject({ exitCode: 0, stdout: '' })
    expect(bytesAt(`all.${format}`).toString()).toBe(printed.stdout)
    await list(`--out all.${format}.gz`)
    expect(gunzipSync(bytesAt(`all.${format}.gz`)).toString()).toBe(printed.stdout)
    expect(runFiles()).toEqual([])
  })

  test('says last when reading began and ended', async () => {
    const { stderr } = await list('--out all.ndjson')
    expect(stderr.trim().split('\n').at(-1)).toBe(
      'all.ndjson has the whole list: 250 rows, read from 2026-03-01T12:00:00.000Z to 2026-03-01T12:00:00.000Z.',
    )
  })

  test('is refused a second time, and replaced with --replace', async () => {
    await list('--out all.ndjson')
    const again = await list('--out all.ndjson')
    expect(again).toMatchObject({ exitCode: 2, requests: [] })
    expect(await list('--out all.ndjson --replace')).toMatchObject({ exitCode: 0 })
    expect(bytesAt('all.ndjson').toString().trim().split('\n')).toHaveLength(250)
  })

  test('of records is written too', async () => {
    const result = await bench.runPay('--sandbox observability list --all --out all.csv')
    expect(result).toMatchObject({ exitCode: 0 })
    expect(bytesAt('all.csv').toString()).toMatch(/^paymentId,/)
  })
})

describe('after a failure', () => {
  test.each(['all.ndjson', 'all.csv', 'all.ndjson.gz', 'all.csv.gz'])(
    'the same command continues %s after the last whole page',
    async (name) => {
      await list(`--out whole.${name}`)
      const failed = await interruptedAt(name)
      expect(failed).toMatchObject({ exitCode: 11, stdout: '' })
      expect(failed.stderr).toContain(`${name} has 200 rows`)
      const { exitCode, requests, stderr } = await list(`--out ${name}`)
      expect(exitCode).toBe(0)
      expect(stderr).toContain('Resuming after row 200')
      expect(requests.map(({ url }) => queryOf(url)['cursor'])).toEqual(['200'])
      expect(bytesAt(name).equals(bytesAt(`whole.${name}`))).toBe(true)
    },
  )

  test('says of the whole list when its first page was read', async () => {
    await interruptedAt('all.ndjson')
    bench.clock.now = new Date('2026-03-02T08:00:00.000Z')
    const { stderr } = await list('--out all.ndjson')
    expect(stderr).toContain('read from 2026-03-01T12:00:00.000Z to 2026-03-02T08:00:00.000Z.')
  })

  test('counts a span back from the first page', async () => {
    const first = await interruptedAt('all.ndjson', '--from 7d')
    bench.clock.now = new Date('2026-03-02T08:00:00.000Z')
    const second = await list('--out all.ndjson --from 7d')
    expect(second.exitCode).toBe(0)
    expect(queryOf(second.requests[0]?.url ?? '')['from_date']).toBe(
      queryOf(first.requests[0]?.url ?? '')['from_date'],
    )
  })

  test('--replace continues an unfinished list', async () => {
    await interruptedAt('all.ndjson')
    const { requests } = await list('--out all.ndjson --replace')
    expect(requests).toHaveLength(1)
  })

  test.each([1, 7, 500])('cuts off a page that was written to %i bytes', async (bytes) => {
    await list('--out whole.ndjson')
    await interruptedAt('all.ndjson')
    appendFileSync(pathOf('all.ndjson'), 'x'.repeat(bytes))
    expect(await list('--out all.ndjson')).toMatchObject({ exitCode: 0 })
    expect(bytesAt('all.ndjson').equals(bytesAt('whole.ndjson'))).toBe(true)
  })

  test('reads a page again whose line in the run file is torn', async () => {
    await list('--out whole.ndjson')
    await interruptedAt('all.ndjson')
    const [run = ''] = runFiles()
    truncateSync(run, readFileSync(run).length - 5)
    const { requests } = await list('--out all.ndjson')
    expect(requests.map(({ url }) => queryOf(url)['cursor'])).toEqual(['100', '200'])
    expect(bytesAt('all.ndjson').equals(bytesAt('whole.ndjson'))).toBe(true)
  })

  test('reads pages again that a power cut has taken from the file', async () => {
    await list('--out whole.ndjson')
    await interruptedAt('all.ndjson')
    truncateSync(pathOf('all.ndjson'), bytesAt('all.ndjson').length - 5)
    const { requests } = await list('--out all.ndjson')
    expect(requests.map(({ url }) => queryOf(url)['cursor'])).toEqual(['100', '200'])
    expect(bytesAt('all.ndjson').equals(bytesAt('whole.ndjson'))).toBe(true)
  })

  test('refuses a file that was changed since', async () => {
    await interruptedAt('all.ndjson')
    const changed = bytesAt('all.ndjson').toString().replace('p3', 'px')
    writeFileSync(pathOf('all.ndjson'), changed)
    expect(await list('--out all.ndjson')).toMatchObject({ exitCode: 2, requests: [] })
    expect(bytesAt('all.ndjson').toString()).toBe(changed)
  })

  test('refuses to continue with another filter or account', async () => {
    await interruptedAt('all.ndjson')
    const filtered = await list('--out all.ndjson --status SETTLED')
    expect(filtered).toMatchObject({ exitCode: 2, requests: [] })
    expect(filtered.stderr).toContain('an unfinished list of something else')
    const env = { ...SERVICE_ENV, PAY_API_KEY: 'another-key-of-9' }
    expect(await list('--out all.ndjson', { ...withPayments(), env })).toMatchObject({ exitCode: 2 })
    expect(await list('--out all.ndjson --api-version 2.0 --no-validate')).toMatchObject({ exitCode: 2 })
    expect(await list('--out all.ndjson')).toMatchObject({ exitCode: 0 })
  })

  test('begins again if the file was removed', async () => {
    await interruptedAt('all.ndjson')
    writeFileSync(pathOf('all.ndjson'), '')
    expect((await list('--out all.ndjson')).requests).toHaveLength(3)
  })

  test('ends with exit 11 if the service goes back to an earlier page', async () => {
    await interruptedAt('all.ndjson')
    const cycle = await list('--out all.ndjson', {
      env: SERVICE_ENV,
      service: () => jsonAnswer(200, { data: [{ id: 'x' }], nextCursor: '100' }),
    })
    expect(cycle.exitCode).toBe(11)
    expect(cycle.requests).toHaveLength(1)
    expect(cycle.stderr).toContain('The service repeats a page')
  })

  test('ends with exit 11 if the last page is a whole one that was read before', async () => {
    const data = Array.from({ length: 100 }, (_, index) => ({ id: `p${index}` }))
    const ignored = await list('--out all.ndjson', {
      env: SERVICE_ENV,
      service: ({ url }) =>
        jsonAnswer(200, { data, ...(queryOf(url)['cursor'] === undefined ? { nextCursor: '100' } : {}) }),
    })
    expect(ignored).toMatchObject({ exitCode: 11, stdout: '' })
    expect(bytesAt('all.ndjson').toString().trim().split('\n')).toHaveLength(100)
  })

  test('ends with exit 11 if the service repeats a page that an earlier process has read', async () => {
    await interruptedAt('all.ndjson')
    const data = Array.from({ length: 100 }, (_, index) => ({ id: `p${index}` }))
    const repeated = await list('--out all.ndjson', {
      env: SERVICE_ENV,
      service: () => jsonAnswer(200, { data, nextCursor: '900' }),
    })
    expect(repeated).toMatchObject({ exitCode: 11, stdout: '' })
    expect(repeated.requests).toHaveLength(1)
  })

  /** Changes the lines of the run file. */
  const changeRun = (change: (lines: readonly string[]) => readonly string[]) => {
    const [run = ''] = runFiles()
    writeFileSync(run, change(readFileSync(run, 'utf8').split('\n')).join('\n'))
  }

  test('reads nothing again if only the run file was left', async () => {
    await interruptedAt('all.ndjson')
    changeRun((lines) => lines.map((line) => line.replace('"next":"200"', '"next":null')))
    expect(await list('--out all.ndjson')).toMatchObject({ exitCode: 0, requests: [] })
    expect(runFiles()).toEqual([])
  })

  test('refuses a whole file that something was added to', async () => {
    await interruptedAt('all.ndjson')
    changeRun((lines) => lines.map((line) => line.replace('"next":"200"', '"next":null')))
    appendFileSync(pathOf('all.ndjson'), 'mine\n')
    expect(await list('--out all.ndjson')).toMatchObject({ exitCode: 2, requests: [] })
    expect(bytesAt('all.ndjson').toString()).toMatch(/mine\n$/)
  })

  test('before the first whole page, only an empty file is written again', async () => {
    await list('--out whole.ndjson')
    await interruptedAt('all.ndjson')
    changeRun(([head = '']) => [head, ''])
    // In place: the same file, with other content.
    writeFileSync(pathOf('all.ndjson'), 'mine')
    expect(await list('--out all.ndjson')).toMatchObject({ exitCode: 2, requests: [] })
    expect(bytesAt('all.ndjson').toString()).toBe('mine')

    writeFileSync(pathOf('all.ndjson'), '')
    expect(await list('--out all.ndjson')).toMatchObject({ exitCode: 0 })
    expect(bytesAt('all.ndjson').equals(bytesAt('whole.ndjson'))).toBe(true)
  })

  test('a first page whose rows were not written is read again, into an empty file alone', async () => {
    await list('--out whole.ndjson')
    await interruptedAt('all.ndjson')
    changeRun(([head = '', first = '']) => [head, first, ''])
    writeFileSync(pathOf('all.ndjson'), 'mine')
    expect(await list('--out all.ndjson')).toMatchObject({ exitCode: 2, requests: [] })
    expect(bytesAt('all.ndjson').toString()).toBe('mine')

    truncateSync(pathOf('all.ndjson'), 0)
    expect(await list('--out all.ndjson')).toMatchObject({ exitCode: 0 })
    expect(bytesAt('all.ndjson').equals(bytesAt('whole.ndjson'))).toBe(true)
  })
})

test.each([
  ['added to', () => appendFileSync(pathOf('all.ndjson'), 'mine')],
  ['cut', () => truncateSync(pathOf('all.ndjson'), 3)],
  ['replaced', () => renameSync(pathOf('other'), pathOf('all.ndjson'))],
])('a list whose file is %s meanwhile is not called whole', async (_, change) => {
  writeFileSync(pathOf('other'), 'mine')
  const changed = await list(
    '--out all.ndjson',
    withPayments((cursor) => {
      if (cursor === 200) change()
      return false
    }),
  )
  expect(changed).toMatchObject({ exitCode: 2, stdout: '' })
  expect(changed.stderr).not.toContain('has the whole list')
  expect(await list('--out all.ndjson --replace')).toMatchObject({ exitCode: 0 })
})

test('a signal ends the file with whole rows', async () => {
  const stop = new AbortController()
  const { service } = withPayments()
  const result = await list('--out all.ndjson', {
    env: SERVICE_ENV,
    signal: stop.signal,
    service: (request, attempt) => {
      if (attempt === 2) stop.abort('SIGTERM')
      return service?.(request, attempt) ?? jsonAnswer(500, {})
    },
  })
  expect(result.exitCode).toBe(143)
  expect(bytesAt('all.ndjson').toString()).toMatch(/\}\n$/)
  expect(await list('--out all.ndjson')).toMatchObject({ exitCode: 0 })
  expect(bytesAt('all.ndjson').toString().trim().split('\n')).toHaveLength(250)
})

describe('is exit 2, and sends nothing:', () => {
  test.each([
    ['--out without --all', 'payment list --out a.csv'],
    ['--out with --limit', 'payment list --limit 5 --out a.csv'],
    ['another ending', 'payment list --all --out a.json'],
    ['no ending', 'payment list --all --out a'],
    ['a second format', 'payment list --all --out a.csv -o id'],
    ['--query', 'payment list --all --out a.csv --query data'],
    ['--replace without --out', 'payment list --all --replace'],
    ['a folder', 'payment list --all --out folder.csv'],
    ['a link', 'payment list --all --out link.csv'],
    ['a file of something else', 'payment list --all --out other.csv'],
    ["a file among pay's own", 'payment list --all --out state/a.csv'],
  ])('%s', async (_, line) => {
    mkdirSync(pathOf('folder.csv'))
    symlinkSync(pathOf('target.csv'), pathOf('link.csv'))
    writeFileSync(pathOf('other.csv'), 'mine')
    expect(await bench.runPay(line, withPayments())).toMatchObject({ exitCode: 2, stdout: '', requests: [] })
    expect(bytesAt('other.csv').toString()).toBe('mine')
    expect(existsSync(pathOf('target.csv'))).toBe(false)
  })
})

test('of two processes, one writes the file', async () => {
  const both = await Promise.all([list('--out all.ndjson --json'), list('--out all.ndjson --json')])
  expect(both.map(({ exitCode }) => exitCode).toSorted((one, other) => one - other)).toEqual([0, 6])
  expect(bytesAt('all.ndjson').toString().trim().split('\n')).toHaveLength(250)
})

test('the API key is hidden in the file', async () => {
  const key = SERVICE_ENV.PAY_API_KEY
  await list('--out all.ndjson', {
    env: SERVICE_ENV,
    service: () => jsonAnswer(200, { data: [{ id: 'p1', metadata: { note: `key ${key}` } }] }),
  })
  expect(bytesAt('all.ndjson').toString()).toContain('"p1"')
  expect(bytesAt('all.ndjson').toString()).not.toContain(key)
})

test('a dry run writes no file', async () => {
  expect(await list('--out all.ndjson --dry-run')).toMatchObject({ exitCode: 0, requests: [] })
  expect(existsSync(pathOf('all.ndjson'))).toBe(false)
})

test('a file to be replaced stays if the first page fails', async () => {
  writeFileSync(pathOf('all.csv'), 'mine')
  expect(
    await list(
      '--out all.csv --replace',
      withPayments(() => true),
    ),
  ).toMatchObject({ exitCode: 11 })
  expect(bytesAt('all.csv').toString()).toBe('mine')
})
