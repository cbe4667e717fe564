import { createHash } from 'node:crypto'
import { readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { createExternalPayment } from '../../api/operations/observability.ts'
import { firstRecords } from '../../bulk/read/csv.ts'
import { withoutGuard } from '../../bulk/read/csv-line.ts'
import { openStream } from '../../bulk/read/input.ts'
import { readNdjson } from '../../bulk/read/ndjson.ts'
import { createRowWarnings } from '../../bulk/map/row-warnings.ts'
import { WHOLE } from '../../bulk/read/shard.ts'
import { startDraft } from '../../cli/request/start-draft.ts'
import { mergeDeep } from '../../cli/parse/field-path.ts'
import type { CommandRun } from '../../cli/command/spec.ts'
import { enforceLimits } from '../../cli/amount/limits.ts'
import { runOperation } from '../../cli/operate.ts'
import { resultOf, textView } from '../../cli/command/result.ts'
import type { Result } from '../../cli/command/result.ts'
import { checkBody } from '../../cli/request/validate.ts'
import { UsageError } from '../../errors.ts'
import { stringifyJson } from '../../json/json.ts'
import { checkImport } from './check-import.ts'
import type { ImportSettings } from './import-settings.ts'
import type { ImportSource } from './import-source.ts'
import { draftOf, haltWith, resultOfImport, tellRemarks } from './run-import.ts'
import { sendAll } from './send-import.ts'
import { peekRecords } from './stdin-records.ts'
import { isRecord } from '../../is-record.ts'

/** One record goes the way of every command; several on stdin, one a line, go the way of an import. */
export async function pushFromStdin(invocation: CommandRun): Promise<Result> {
  const { context } = invocation
  const halt = haltWith(invocation)
  const { isMany, chunks } = await peekRecords(context.stdin.chunks(halt.signal))
  if (isMany) return pushAll(invocation, chunks, halt)
  const stdin = { ...context.stdin, read: (limitBytes: number) => readAll(chunks, limitBytes) }
  return runOperation({ ...invocation, context: { ...context, stdin } })
}

/** Flags and --set hold for every record, over what it says itself. */
async function pushAll(
  invocation: CommandRun,
  chunks: AsyncIterable<Uint8Array>,
  halt: AbortController,
): Promise<Result> {
  const { settings, input } = invocation
  if (settings.mode === 'curl')
    throw new UsageError('--curl shows one request, and stdin holds several records', {
      code: 'bad_value',
      outcome: 'none',
    })
  await invocation.account()
  const { data: _data, ...flags } = input.flags
  const common = await startDraft({ ...invocation, input: { ...input, flags } })
  refuseForOneOnly(common.body)
  const draft = draftOf({})
  await enforceLimits(invocation, createExternalPayment, draft)

  const rowWarnings = createRowWarnings()
  const isChecked = input.flags['validate'] !== false
  const read = readNdjson(
    RECORDS.words,
    RECORDS,
    (body) => (isChecked ? checkBody(createExternalPayment, body) : { problems: [], warnings: [] }),
    rowWarnings,
    (record) => {
      const merged = common.body === undefined ? record : mergeDeep(record, common.body)
      return isRecord(merged) ? { ...merged } : record
    },
  )
  const source: ImportSource = {
    ...read,
    input: await openStream(chunks, 'stdin'),
    rowWarnings,
    reading: JSON.stringify([
      'push',
      isChecked,
      common.body === undefined ? null : stringifyJson(common.body),
    ]),
  }
  if (settings.mode === 'dry-run') return checkImport(invocation, RECORDS, source)
  const idsFile = idsFileOf(invocation, source)
  const end = await sendAll(invocation, { ...RECORDS, results: idsFile }, source, halt)
  const ids = settings.format === 'id' ? idsIn(idsFile) : []
  // One that goes on later goes on in its file.
  if (end.ended === undefined || end.isBlank) rmSync(idsFile, { force: true })
  await tellRemarks(invocation, rowWarnings)
  return withIds(
    await resultOfImport(invocation, end, {
      hint: 'pay observability import - --format ndjson --results FILE tells of every record',
    }),
    ids,
  )
}

/** With -o id the records that were made, as a list of them would be; their summary has no id. */
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

/**
 * What became of each record of a push, kept while it runs: a push that was interrupted and resumed names the records of
 * both runs. Kept for every format, since the resumed run may ask for another one.
 */
function idsFileOf({ context }: CommandRun, { input, reading }: ImportSource): string {
  const name = createHash('sha256').update(reading).update(input.head).digest('hex').slice(0, 32)
  return join(context.stateFolder, 'imports', `push-${name}.csv`)
}

/** The paymentIds of the records that were made, in the order of the input. */
function idsIn(path: string): readonly string[] {
  return firstRecords(readFileSync(path), {}).flatMap(({ cells: [, paymentId = '', outcome] }) =>
    outcome === 'created' ? [withoutGuard(paymentId)] : [],
  )
}

const RECORDS: ImportSettings = {
  path: '-',
  format: 'ndjson',
  words: { columns: new Map(), constants: new Map() },
  amounts: 'minor',
  assumesUtc: false,
  // A record that exists is changed with another command.
  onExists: 'fail',
  concurrency: undefined,
  rate: undefined,
  maxFailures: undefined,
  canary: undefined,
  results: undefined,
  rejects: undefined,
  restart: false,
  shard: WHOLE,
}

function refuseForOneOnly(common: unknown): void {
  if (!isRecord(common) || common['paymentId'] === undefined) return
  throw new UsageError('One paymentId cannot be that of several records', {
    code: 'bad_value',
    outcome: 'none',
    hint: 'Each record on stdin has its own',
  })
}

async function readAll(chunks: AsyncIterable<Uint8Array>, limitBytes: number): Promise<Uint8Array> {
  const kept: Uint8Array[] = []
  let bytes = 0
  for await (const chunk of chunks) {
    bytes += chunk.length
    if (bytes > limitBytes)
      throw new UsageError(
        `stdin holds more than ${Math.round(limitBytes / 1024)} KB and is no list of records`,
        {
          code: 'too_large',
          outcome: 'none',
          hint: 'Several records stand one on each line',
        },
      )
    kept.push(chunk)
  }
  return Buffer.concat(kept)
}
