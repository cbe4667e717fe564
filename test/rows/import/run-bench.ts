import { createLeftOutTally } from '../../../src/rows/left-out.ts'
import type { LeftOutCount } from '../../../src/rows/left-out.ts'
import { mkdirSync, mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll } from 'vitest'
import { recall } from '../../../src/rows/keep/recall.ts'
import { createRowWarnings } from '../../../src/rows/map/row-warnings.ts'
import type { RowWarning } from '../../../src/rows/map/row-warnings.ts'
import type { InputRow } from '../../../src/rows/map/row.ts'
import { createAmountForms } from '../../../src/rows/read/evidence.ts'
import { openRunStore } from '../../../src/rows/keep/run-store.ts'
import type { RunStore } from '../../../src/rows/keep/run-store.ts'
import { csvLine } from '../../../src/rows/read/csv-line.ts'
import { readRecords } from '../../../src/rows/read/csv.ts'
import { AdaptiveLimiter } from '../../../src/rows/send/adaptive-limiter.ts'
import { DEFAULT_MAX_WAIT_MS, Patience } from '../../../src/rows/send/patience.ts'
import { runRows } from '../../../src/rows/import/run-rows.ts'
import type { RunOptions, RunResult } from '../../../src/rows/import/run-rows.ts'
import type { Pace } from '../../../src/rows/send/row-loop.ts'
import { paceTransport } from '../../../src/rows/send/paced-transport.ts'
import { TransportFailure } from '../../../src/client/http/transport-port.ts'
import type { HttpRequest, HttpResponse } from '../../../src/client/http/transport-port.ts'
import { createSender } from '../../../src/rows/import/send-record.ts'
import type { OnExists } from '../../../src/rows/import/send-record.ts'
import { removeFolder } from '../../support/remove-folder.ts'

/** Returns a function that makes a new folder for a run. */
export function useRunFolders(): () => string {
  let base: string
  let folders = 0
  beforeAll(() => {
    base = mkdtempSync(join(tmpdir(), 'pay-run-'))
  })
  afterAll(() => {
    removeFolder(base)
  })
  return () => {
    folders += 1
    const path = join(base, String(folders))
    mkdirSync(path)
    return path
  }
}

/** Takes rows at once while fewer than `window` are under way. */
export const paceOf = (window: number): Pace => ({ window, whenReady: () => undefined })

/** What happens to a request: answered, lost before or after it is applied, 503, 429, or a refused connection. */
export type Fate = 'ok' | 'before' | 'after' | '503' | '429' | 'unconnected'

/** The values that each record has had, by paymentId. */
export type Records = Map<string, number[]>

export interface RunIn {
  readonly folder: string
  readonly lines: readonly string[]
  readonly records: Records
  readonly onExists: OnExists
  readonly fates?: readonly Fate[]
  readonly onRequest?: (count: number) => void
  readonly change?: Partial<RunOptions>
  readonly chunkBytes?: number
  /** Puts another store before the one on the disk. */
  readonly faulty?: (store: RunStore) => RunStore
}

const HEADER = 'id;value\n'

/** What a run has told of its rows besides their outcomes. */
interface Told {
  readonly leftOut: readonly LeftOutCount[]
  readonly warnings: readonly RowWarning[]
  /** How many rows were read. */
  readonly read: number
}

/**
 * Runs over lines of `id;value`. A value that is not a number is a bad row, as is one with decimals after one without, of those whose
 * ID begins with d and of the others; `out` is left out, and one with blanks is warned of.
 */
export async function runIn({
  folder,
  lines,
  records,
  onExists,
  fates = ['ok'],
  ...more
}: RunIn): Promise<RunResult & Told> {
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
    // Varies the order of the responses.
    for (let step = 0; step < requests % 3; step += 1) await new Promise((resolve) => setImmediate(resolve))
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
    maxConcurrency: 8,
    rate: undefined,
  })
  halt.signal.addEventListener('abort', () => limiter.recheck())
  const now = () => new Date(nowMs)
  const patience = new Patience(DEFAULT_MAX_WAIT_MS, now)
  const transport = { send: serve, close: async () => {} }
  const send = createSender({
    transport: paceTransport(transport, { limiter, patience, now, onWait: () => {} }),
    patience,
    target: { baseUrl: 'https://shop.example.com', apiKey: 'key', apiVersion: '2.1', userAgent: 'test' },
    onExists,
    timeoutMs: 1_000,
    maxRetries: 3,
    now,
    random: () => 0.5,
    sleep,
    interruption: { stop: halt.signal, abandon: new AbortController().signal },
    clean: (text) => text,
    onInvalidSuccess: () => {},
    onAttempt: () => {},
  })
  const store = openRunStore({
    path: join(folder, 'run.db'),
    name: 'test',
    isSentSynced: onExists !== 'update',
  })
  let read = 0
  const [leftOut, rowWarnings, amountForms] = [
    createLeftOutTally(),
    createRowWarnings(),
    createAmountForms('plain'),
  ]
  const rowOf = (cells: readonly string[]): InputRow => {
    read += 1
    const [id = '', raw = ''] = cells
    const value = raw.trim()
    if (value !== raw) rowWarnings.note('blanks', () => 'blanks')
    if (value === 'out')
      return { id, cells, prepared: undefined, problems: [], leftOut: { column: 'value', value } }
    const isNumber = /^\d+(?:\.\d+)?$/.test(value)
    const currencyCode = id.startsWith('d') ? 'USD' : 'EUR'
    const isGood = isNumber && amountForms.add({ row: 0, amount: value, currencyCode }) === undefined
    return {
      id,
      cells,
      prepared: isGood ? { id, body: { paymentId: id, value: Number(value) } } : undefined,
      problems: isGood ? [] : [{ column: 'value', value, kind: 'is not such a number', hint: undefined }],
    }
  }
  try {
    const recalled = await recall({
      rowOf,
      isOurs: () => true,
      leftOut,
      rowWarnings,
      amountForms,
      store,
      halt: halt.signal,
      chunks: piecesOf(bytes.subarray(HEADER.length), more.chunkBytes ?? 64),
      records: (chunks, place) => readRecords(chunks, ';', place),
      start: { byte: HEADER.length, line: 2 },
    })
    const result = await runRows({
      store: more.faulty?.(store) ?? store,
      rejectLine: (cells, reason) => csvLine([...cells, reason]),
      now: () => new Date(nowMs),
      onProgress: () => {},
      ...recalled,
      send,
      pace: paceOf(16),
      maxFailures: undefined,
      maxRows: undefined,
      clean: (text) => text,
      ...more.change,
      halt,
    })
    return { ...result, leftOut: leftOut.all(), warnings: rowWarnings.all(), read }
  } finally {
    store.close()
  }
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

/** The rows that have an outcome, in the order of the input. */
export function resultsIn(folder: string) {
  const store = openRunStore({ path: join(folder, 'run.db'), name: 'test', isSentSynced: false })
  try {
    return [...store.rows()].flat().map(({ row, line, id, outcome, reject }) => ({
      row,
      line,
      paymentId: id,
      outcome,
      reject,
    }))
  } finally {
    store.close()
  }
}

export const copyOf = (records: Records): Records =>
  new Map([...records].map(([id, values]) => [id, [...values]]))

export const LINES_OF_FIFTY = Array.from({ length: 50 }, (_, index) => `p${index};${index}`)
