import { checkRecord } from './check-record.ts'
import { createExternalPayment } from '../../api/operations/observability.ts'
import { createRowWarnings } from '../../rows/map/row-warnings.ts'
import { openStream } from '../../rows/read/input.ts'
import type { Input } from '../../rows/read/input.ts'
import { readNdjson } from '../../rows/read/ndjson.ts'
import { WHOLE } from '../../rows/read/shard.ts'
import { DEFAULT_MAX_WAIT_MS } from '../../rows/send/patience.ts'
import { resultOf, textView } from '../../cli/command/result.ts'
import type { Result } from '../../cli/command/result.ts'
import { refuseForbidden } from '../../cli/request/amount.ts'
import type { CommandRun } from '../../cli/command/spec.ts'
import { runOperation } from '../../cli/operate.ts'
import { mergeDeep } from '../../json/fields.ts'
import { startDraft } from '../../cli/request/build-draft.ts'
import { UsageError } from '../../errors.ts'
import { RECORD } from '../../rows/import/record-fields.ts'
import type { ImportSettings } from '../../rows/import/settings.ts'
import type { ImportSource } from '../../rows/import/source.ts'
import { isRecord } from '../../json/is-record.ts'
import { parseJson, stringifyJson } from '../../json/json.ts'
import { checkImport } from './import/check.ts'
import { haltOnInterrupt } from '../halt-on-interrupt.ts'
import { resultOfImport, warnAboutRows } from './import.ts'
import { sendImport } from './import/send.ts'

/** Sends a single record like any other command, and several records, one per line, like an import. */
export async function pushFromStdin(invocation: CommandRun): Promise<Result> {
  const { context } = invocation
  const halt = haltOnInterrupt(invocation)
  const opened = await openStream(context.stdin.chunks(halt.signal), 'stdin')
  if (hasSeveralRecords(opened.head)) return pushAll(invocation, opened, halt)
  const stdin = { ...context.stdin, read: (limitBytes: number) => readAll(opened.from(0), limitBytes) }
  return runOperation({ ...invocation, context: { ...context, stdin } })
}

/** Whether the first line is a whole JSON value, and another line follows. A single value may be on many lines. */
function hasSeveralRecords(head: Buffer): boolean {
  const text = head.toString().replace(/^\uFEFF/, '')
  const [first = '', second] = text.split('\n').filter((line) => line.trim() !== '')
  try {
    parseJson(first)
    return second !== undefined
  } catch {
    return false
  }
}

/** Pushes records, one a line. Flags and --set apply to every record and override its own fields. */
async function pushAll(invocation: CommandRun, opened: Input, halt: AbortController): Promise<Result> {
  const { settings, input } = invocation
  if (settings.mode === 'curl')
    throw new UsageError('--curl shows a single request, but stdin has several records', {
      code: 'bad_value',
      outcome: 'none',
    })
  await invocation.account()
  const { data: _data, ...flags } = input.flags
  const common = await startDraft({ ...invocation, input: { ...input, flags } })
  refuseSharedId(common.body)
  await refuseForbidden(invocation, createExternalPayment)

  const rowWarnings = createRowWarnings()
  const isChecked = input.flags['validate'] !== false
  const read = readNdjson(RECORD, {
    mapping: PUSH_SETTINGS.mapping,
    cells: PUSH_SETTINGS.cells,
    check: (body) => (isChecked ? checkRecord(body) : { problems: [], warnings: [] }),
    rowWarnings,
    complete: (record) => {
      const merged = common.body === undefined ? record : mergeDeep(record, common.body)
      return isRecord(merged) ? { ...merged } : record
    },
  })
  const source: ImportSource = {
    ...read,
    input: opened,
    rowWarnings,
    formatKey: JSON.stringify([
      'push',
      isChecked,
      common.body === undefined ? null : stringifyJson(common.body),
    ]),
  }
  if (settings.mode === 'dry-run') return checkImport(invocation, PUSH_SETTINGS, source)
  const ids: string[] = []
  const sent = await sendImport(invocation, PUSH_SETTINGS, source, {
    halt,
    onDone: ({ id, outcome }) => {
      if (settings.format === 'id' && outcome === 'created') ids.push(id)
    },
  })
  await warnAboutRows(invocation, rowWarnings)
  return withIds(
    await resultOfImport(invocation, sent, {
      hint: 'For the outcome of every record: pay observability import - --format ndjson --results FILE',
    }),
    ids,
  )
}

/** With `-o id`, prints the IDs of the new records; the summary has none. */
function withIds(result: Result, ids: readonly string[]): Result {
  const list = resultOf(ids, { ...textView(() => ''), ids: () => ids })
  return {
    ...result,
    render: (presentation) => {
      const isIds = presentation.format === 'id' && presentation.query === undefined
      return (isIds ? list : result).render(presentation)
    },
  }
}

const PUSH_SETTINGS: ImportSettings = {
  path: '-',
  format: 'ndjson',
  mapping: { columns: new Map(), constants: new Map() },
  cells: { amounts: 'minor', assumesUtc: false },
  areUnitsGiven: true,
  isoMinor: true,
  skipLines: 0,
  delimiter: undefined,
  encoding: undefined,
  // Another command changes existing records.
  onExists: 'fail',
  concurrency: undefined,
  rate: undefined,
  maxFailures: undefined,
  maxWaitMs: DEFAULT_MAX_WAIT_MS,
  canary: undefined,
  results: undefined,
  rejects: undefined,
  restart: false,
  shard: WHOLE,
}

function refuseSharedId(common: unknown): void {
  if (!isRecord(common) || common['paymentId'] === undefined) return
  throw new UsageError('Several records cannot have the same paymentId', {
    code: 'bad_value',
    outcome: 'none',
    hint: 'Leave out --payment-id: each record on stdin has its own.',
  })
}

async function readAll(chunks: AsyncIterable<Uint8Array>, limitBytes: number): Promise<Uint8Array> {
  const parts: Uint8Array[] = []
  let bytes = 0
  for await (const chunk of chunks) {
    bytes += chunk.length
    if (bytes > limitBytes)
      throw new UsageError(
        `stdin has more than ${Math.round(limitBytes / 1024)} KB and is not a list of records`,
        {
          code: 'too_large',
          outcome: 'none',
          hint: 'Put each record on its own line.',
        },
      )
    parts.push(chunk)
  }
  return Buffer.concat(parts)
}
