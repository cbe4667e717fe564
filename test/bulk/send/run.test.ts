import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import * as fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { readCheckpoint } from '../../../src/bulk/keep/checkpoint.ts'
import { csvLine } from '../../../src/bulk/read/csv-line.ts'
import { readRecords } from '../../../src/bulk/read/csv.ts'
import { runRows } from '../../../src/bulk/send/run.ts'
import type { RunResult, RunOptions } from '../../../src/bulk/send/run.ts'
import { openJournal } from '../../../src/bulk/keep/journal.ts'
import { AdaptiveLimiter } from '../../../src/bulk/send/adaptive-limiter.ts'
import { openRowFile } from '../../../src/bulk/keep/row-files.ts'
import { createSender } from '../../../src/bulk/send/sender.ts'
import type { OnExists } from '../../../src/bulk/row-outcome.ts'
import { TransportFailure } from '../../../src/http/transport-port.ts'
import type { HttpResponse, HttpRequest } from '../../../src/http/transport-port.ts'

let base: string
let folders = 0
beforeAll(() => {
  // No power cut is tested here, and waiting for the disk would be most of the time.
  base = mkdtempSync(join(existsSync('/dev/shm') ? '/dev/shm' : tmpdir(), 'pay-run-'))
})
afterAll(() => {
  rmSync(base, { recursive: true, force: true })
})
const newFolder = (): string => {
  folders += 1
  const path = join(base, String(folders))
  mkdirSync(path)
  return path
}

/** What a request meets: answered, lost before or after it was applied, 503, 429, refused connection. */
type Fate = 'ok' | 'before' | 'after' | '503' | '429' | 'unconnected'

/** Records by paymentId, each the values it has had. */
type Records = Map<string, number[]>

interface RunIn {
  readonly folder: string
  readonly lines: readonly string[]
  readonly records: Records
  readonly onExists: OnExists
  readonly fates?: readonly Fate[]
  readonly onRequest?: (count: number) => void
  readonly change?: Partial<RunOptions>
  readonly chunkBytes?: number
}

const HEADER = 'id;value\n'

/** A run over lines of `id;value`; a value that is no number is a bad row. */
async function runIn({
  folder,
  lines,
  records,
  onExists,
  fates = ['ok'],
  ...more
}: RunIn): Promise<RunResult> {
  const bytes = Buffer.from(HEADER + lines.map((line) => `${line}\n`).join(''))
  const halt = more.change?.halt ?? new AbortController()
  let nowMs = 0
  let requests = 0
  const sleep = async (ms: number) => {
    nowMs += ms
  }
  const serve = async (request: HttpRequest): Promise<HttpResponse> => {
    requests += 1
    more.onRequest?.(requests)
    nowMs += 40
    const fate = fates[requests % fates.length] ?? 'ok'
    // Answers come in any order.
    for (let turn = 0; turn < requests % 3; turn += 1) await new Promise((resolve) => setImmediate(resolve))
    if (fate === 'unconnected') throw new TransportFailure('refused', false, 'refused')
    if (fate === 'before') throw new TransportFailure('cut', true, 'cut')
    if (fate === '429') return { status: 429, headers: { 'retry-after': '1' }, body: '' }
    if (fate === '503') return { status: 503, headers: {}, body: '' }
    const status = apply(request, records)
    if (fate === 'after') throw new TransportFailure('cut', true, 'cut')
    return {
      status,
      headers: {},
      body: status === 409 ? '{"error":{"errorId":"EntityAlreadyExists"}}' : '{"amount":1}',
    }
  }
  const limiter = new AdaptiveLimiter({
    now: () => nowMs,
    sleep,
    concurrency: undefined,
    most: 8,
    rate: undefined,
  })
  halt.signal.addEventListener('abort', () => limiter.lookAgain())
  const send = createSender({
    transport: { send: serve, close: async () => {} },
    limiter,
    baseUrl: 'https://shop.example.com',
    apiKey: 'key',
    apiVersion: '2.1',
    userAgent: 'test',
    timeoutMs: 1_000,
    maxRetries: 3,
    onExists,
    now: () => new Date(nowMs),
    random: () => 0.5,
    sleep,
    halt: halt.signal,
    abandon: new AbortController().signal,
    clean: (text) => text,
    onWait: () => {},
    onOddAnswer: () => {},
    onAttempt: undefined,
  })
  const [checkpointPath, results] = [join(folder, 'checkpoint'), join(folder, 'results.csv')]
  const from = readCheckpoint(checkpointPath)
  const journal = openJournal(join(folder, 'journal'), from?.row ?? 0, { isSentSynced: false })
  const files = {
    results: openRowFile(results, 'header\n', from?.resultsBytes),
    rejects: openRowFile(join(folder, 'rejects.csv'), 'header\n', from?.rejectsBytes),
  }
  const end = await runRows({
    ...files,
    run: 'test',
    from,
    checkpointPath,
    journal,
    rejectLine: (cells, reason) => csvLine([...cells, reason]),
    now: () => new Date(nowMs),
    onProgress: () => {},
    onRow: () => {},
    chunks: piecesOf(bytes, more.chunkBytes ?? 64),
    records: (chunks, place) => readRecords(chunks, ';', place),
    rowOf: (cells) => {
      const [paymentId = '', value = ''] = cells
      const isGood = /^\d+$/.test(value)
      return {
        paymentId,
        cells,
        prepared: isGood ? { paymentId, body: { paymentId, value: Number(value) } } : undefined,
        problems: isGood ? [] : [{ column: 'value', value, kind: 'is no number', hint: undefined }],
      }
    },
    isOurs: () => true,
    send,
    start: { byte: HEADER.length, line: 2 },
    window: 16,
    isTooMany: () => false,
    most: undefined,
    clean: (text) => text,
    ...more.change,
    halt,
  })
  journal.close()
  files.results.close()
  files.rejects.close()
  return end
}

async function* piecesOf(bytes: Buffer, size: number): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += size) {
    await new Promise((resolve) => setImmediate(resolve))
    yield bytes.subarray(at, at + size)
  }
}

function apply({ method, url, body = '' }: HttpRequest, records: Records): number {
  const sent: unknown = JSON.parse(body)
  const fields = typeof sent === 'object' && sent !== null ? { paymentId: '', value: 0, ...sent } : undefined
  if (fields === undefined) return 400
  const id = method === 'PATCH' ? decodeURIComponent(url.split('/').at(-1) ?? '') : fields.paymentId
  const known = records.get(id)
  if (method === 'POST' && known !== undefined) return 409
  records.set(id, [...(known ?? []), fields.value])
  return 200
}

const told = (folder: string) =>
  readFileSync(join(folder, 'results.csv'), 'utf8')
    .trimEnd()
    .split('\n')
    .slice(1)
    .map((line) => {
      const [row, paymentId = '', outcome = ''] = line.split(',')
      return { row: Number(row), paymentId, outcome }
    })

const copyOf = (records: Records): Records => new Map([...records].map(([id, values]) => [id, [...values]]))

const FATES = fc
  .array(fc.constantFrom<Fate>('ok', 'before', 'after', '503', '429', 'unconnected'), { maxLength: 12 })
  // With 429 for ever it would go on for ever.
  .map((fates): readonly Fate[] => [...fates, 'ok', 'ok'])
const LINES = fc.array(
  fc.tuple(
    fc.integer({ min: 0, max: 30 }),
    fc.oneof({ weight: 9, arbitrary: fc.nat(999) }, fc.constant('x')),
  ),
  { minLength: 1, maxLength: 80 },
)

test('killed anywhere and run again: every row once, in order, its outcome true, the last of an id stays', async () => {
  await fc.assert(
    fc.asyncProperty(
      LINES,
      FATES,
      fc.constantFrom<OnExists>('update', 'skip', 'fail'),
      fc.array(fc.integer({ min: 0, max: 30 }), { maxLength: 5 }),
      fc.array(fc.integer({ min: 1, max: 60 }), { maxLength: 4 }),
      async (rows, fates, onExists, there, killsAt) => {
        const lines = rows.map(([id, value]) => `p${id};${value}`)
        const before: Records = new Map(there.map((id) => [`p${id}`, [-1]]))
        let [folder, records] = [newFolder(), copyOf(before)]
        // A kill leaves what is in the files and what was applied: a copy of both at that moment.
        for (const killAt of killsAt) {
          const [left, applied] = [newFolder(), new Map<string, number[]>()]
          let isKilled = false
          const onRequest = (count: number) => {
            if (count !== killAt) return
            isKilled = true
            cpSync(folder, left, { recursive: true })
            for (const [id, values] of copyOf(records)) applied.set(id, values)
          }
          await runIn({ folder, lines, records, onExists, fates, onRequest })
          if (!isKilled) break
          ;[folder, records] = [left, applied]
        }
        let end = await runIn({ folder, lines, records, onExists, fates })
        // Whoever finds nobody ends, and goes on when run again.
        for (let again = 0; end.ended !== undefined && again < 50; again += 1)
          end = await runIn({ folder, lines, records, onExists, fates: ['ok'] })
        expect(end.ended).toBeUndefined()

        const results = told(folder)
        expect(results.map(({ row }) => row)).toEqual(lines.map((_, index) => index + 1))
        expect(results.map(({ paymentId }) => paymentId)).toEqual(lines.map((line) => line.split(';')[0]))
        const made = new Set(before.keys())
        const maybeMade = new Set<string>()
        for (const [index, { paymentId, outcome }] of results.entries()) {
          const isBad = rows[index]?.[1] === 'x'
          if (isBad) expect(outcome).toBe('failed')
          else if (onExists === 'update') expect(['created', 'updated', 'unknown']).toContain(outcome)
          // It was not there before, so nobody else has made it.
          else if (!made.has(paymentId)) expect(['created', 'unknown']).toContain(outcome)
          else {
            const known = [onExists === 'skip' ? 'skipped' : 'failed', 'unknown']
            expect(maybeMade.has(paymentId) ? [...known, 'created'] : known).toContain(outcome)
          }
          if (isBad) continue
          made.add(paymentId)
          if (outcome === 'unknown') maybeMade.add(paymentId)
          else maybeMade.delete(paymentId)
        }
        const { counts } = end
        for (const outcome of ['created', 'updated', 'skipped', 'failed', 'unknown'] as const)
          expect(counts[outcome]).toBe(results.filter((one) => one.outcome === outcome).length)
        expect(counts.rows).toBe(lines.length)
        for (const { paymentId, outcome } of results)
          if (outcome === 'created' || outcome === 'updated') expect(records.has(paymentId)).toBe(true)
        if (onExists === 'update')
          for (const [id, values] of records) {
            const last = results.findLastIndex(
              ({ paymentId, outcome }) => paymentId === id && outcome !== 'failed',
            )
            if (last !== -1 && results[last]?.outcome !== 'unknown')
              expect(values.at(-1)).toBe(rows[last]?.[1])
          }
      },
    ),
    { numRuns: Number(process.env['PAY_TEST_RUNS'] ?? 100) },
  )
}, 600_000)

const LINES_OF_FIFTY = Array.from({ length: 50 }, (_, index) => `p${index};${index}`)

describe('an input that is another one when it is taken up again', () => {
  /** Stopped after some rows, with a checkpoint. */
  async function stopped(folder: string, lines = LINES_OF_FIFTY): Promise<Records> {
    const halt = new AbortController()
    const records: Records = new Map()
    const onRequest = (count: number) => {
      if (count === 25) halt.abort()
    }
    const end = await runIn({ folder, lines, records, onExists: 'skip', onRequest, change: { halt } })
    expect(end).toMatchObject({ ended: 'halted' })
    expect(end.counts.rows).toBeGreaterThan(5)
    return records
  }
  const changed = (row: number) =>
    LINES_OF_FIFTY.map((line, index) => (index === row ? `q${index};${index}` : line))

  test.each([
    ['in a row that was told of', changed(2)],
    ['in a row that was on its way', changed(21)],
    ['by a row less', LINES_OF_FIFTY.slice(1)],
    ['by its end', LINES_OF_FIFTY.slice(0, 4)],
  ])('%s: refused, and nothing is sent', async (_, lines) => {
    const folder = newFolder()
    await stopped(folder)
    const results = readFileSync(join(folder, 'results.csv'), 'utf8')
    const onRequest = () => {
      throw new Error('nothing is to be sent')
    }
    const end = await runIn({ folder, lines, records: new Map(), onExists: 'skip', onRequest })
    expect(end.ended).toMatchObject({ code: 'input_changed', exitCode: 2 })
    expect(readFileSync(join(folder, 'results.csv'), 'utf8')).toBe(results)
  })

  test('cut into other pieces it is the same', async () => {
    const folder = newFolder()
    const records = await stopped(folder)
    const end = await runIn({ folder, lines: LINES_OF_FIFTY, records, onExists: 'skip', chunkBytes: 1_000 })
    expect(end).toMatchObject({ ended: undefined, counts: { rows: 50, created: 50 } })
  })

  test('only behind what was read, it goes on with what is there now', async () => {
    const folder = newFolder()
    const records = await stopped(folder)
    const end = await runIn({ folder, lines: changed(49), records, onExists: 'skip' })
    expect(end).toMatchObject({ ended: undefined, counts: { rows: 50, created: 50 } })
    expect(records.has('q49')).toBe(true)
  })

  test('a journal that was cut short in the middle of a line changes nothing but what is sent again', async () => {
    const folder = newFolder()
    const records = await stopped(folder)
    const journal = join(folder, 'journal')
    const text = readFileSync(journal, 'utf8')
    for (const length of [text.length - 3, 40, 5, 0]) {
      writeFileSync(journal, text.slice(0, length))
      const again = join(base, `cut-${length}`)
      cpSync(folder, again, { recursive: true })
      const end = await runIn({
        folder: again,
        lines: LINES_OF_FIFTY,
        records: copyOf(records),
        onExists: 'update',
      })
      expect(end).toMatchObject({ ended: undefined, counts: { rows: 50, failed: 0, unknown: 0 } })
      expect(told(again).map(({ row }) => row)).toEqual(LINES_OF_FIFTY.map((_, index) => index + 1))
    }
  })
})

describe('a run ends early', () => {
  const run = (change: Partial<RunOptions>, more: Partial<RunIn> = {}) =>
    runIn({
      folder: newFolder(),
      lines: LINES_OF_FIFTY,
      records: new Map(),
      onExists: 'update',
      change,
      ...more,
    })

  test('when too many have failed, without sending what had not been sent', async () => {
    let sent = 0
    const lines = LINES_OF_FIFTY.map((line, index) => (index < 5 ? `p${index};x` : line))
    const end = await run({ isTooMany: ({ bad }) => bad > 3 }, { lines, onRequest: () => (sent += 1) })
    expect(end).toMatchObject({ ended: 'too-many-failures', counts: { rows: 4, failed: 4 } })
    expect(sent).toBe(0)
  })

  test('at a row that is answered before an earlier one, which is reported and counted all the same', async () => {
    const [folder, records] = [newFolder(), new Map<string, number[]>()]
    const lines = ['p1;1', 'p2;x', 'p3;3']
    // The first row finds no connection, and the second is bad meanwhile.
    const stopped = await runIn({
      folder,
      records,
      lines,
      onExists: 'update',
      fates: ['ok', 'unconnected'],
      change: { isTooMany: ({ bad }) => bad > 0 },
    })
    expect(stopped).toMatchObject({
      ended: 'too-many-failures',
      counts: { rows: 1, failed: 1 },
      troubles: [{ row: 2, paymentId: 'p2', outcome: 'failed' }],
      stoppedBy: { row: 2, paymentId: 'p2', message: expect.stringContaining('value') },
    })
    expect(told(folder)).toMatchObject([{ row: 2, outcome: 'failed' }])
    expect(readFileSync(join(folder, 'rejects.csv'), 'utf8')).toContain('p2')
    const whole = await runIn({ folder, records, lines, onExists: 'update' })
    expect(whole).toMatchObject({ ended: undefined, counts: { rows: 3, created: 2, failed: 1 } })
    expect(told(folder).map(({ row, outcome }) => [row, outcome])).toEqual([
      [1, 'created'],
      [2, 'failed'],
      [3, 'created'],
    ])
  })

  test('after a trial, with all of its rows done', async () => {
    const end = await run({ most: 7 })
    expect(end).toMatchObject({ ended: 'trial', counts: { rows: 7, created: 7 } })
  })

  test('where a trial is as long as the input, it is whole', async () => {
    expect(await run({ most: 50 })).toMatchObject({ ended: undefined, counts: { rows: 50 } })
  })

  test('at a record that cannot be read, with the rows before it done', async () => {
    const lines = [...LINES_OF_FIFTY.slice(0, 20), '"p20;1', 'p21;1']
    const end = await run({}, { lines })
    expect(end.ended).toMatchObject({ code: 'unusable_file' })
    expect(end.counts).toMatchObject({ rows: 20, created: 20 })
  })

  test('when the results cannot be written, and says so', async () => {
    const results = {
      path: 'results.csv',
      add: () => {
        throw new Error('disk full')
      },
      sync: () => {
        throw new Error('disk full')
      },
      close: () => {},
    }
    const folder = newFolder()
    const end = await run({ results }, { folder })
    expect(end.ended).toMatchObject({ message: expect.stringContaining('disk full') })
    expect(readCheckpoint(join(folder, 'checkpoint'))).toBeUndefined()
  })

  test('blank, when the first row meets what every row would', async () => {
    const end = await run({}, { fates: ['unconnected'] })
    expect(end).toMatchObject({ isBlank: true, ended: { code: 'not_connected' }, counts: { rows: 0 } })
  })

  test('not blank, when the first row may have been done', async () => {
    const fates: readonly Fate[] = [
      'unconnected',
      'before',
      ...Array.from({ length: 70 }, () => 'unconnected' as const),
    ]
    const end = await run({ window: 1 }, { fates })
    expect(end).toMatchObject({ isBlank: false, ended: { code: 'not_connected' }, counts: { rows: 0 } })
  })

  test.each<readonly [OnExists, string]>([
    ['skip', 'unknown'],
    ['update', 'updated'],
  ])('a row that was in doubt then is in doubt still when it is run again: %s', async (onExists, outcome) => {
    const [folder, records] = [newFolder(), new Map<string, number[]>()]
    const options = { folder, records, lines: ['p1;1', 'p2;2'], onExists, change: { window: 1 } }
    const lost: readonly Fate[] = [
      'unconnected',
      'after',
      ...Array.from({ length: 20 }, () => 'unconnected' as const),
    ]
    expect(await runIn({ ...options, fates: lost })).toMatchObject({ ended: { code: 'not_connected' } })
    expect(records.has('p1')).toBe(true)
    // Ended once more before it comes to that row.
    const halt = new AbortController()
    halt.abort()
    expect(await runIn({ ...options, change: { halt } })).toMatchObject({ ended: 'halted' })
    expect(await runIn(options)).toMatchObject({ ended: undefined })
    expect(told(folder).map((one) => one.outcome)).toEqual([outcome, 'created'])
  })
})
