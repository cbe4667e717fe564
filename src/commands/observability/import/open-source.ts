import type { OpenedRows } from '../../../rows/read/open-rows.ts'
import type { Invocation } from '../../../cli/command/invocation.ts'
import { checkRecord } from '../check-record.ts'
import { RECORD } from '../../../rows/import/record-fields.ts'
import type { ImportSettings } from '../../../rows/import/settings.ts'
import type { ImportSource } from '../../../rows/import/source.ts'
import { noteTable, openTable } from '../../open-table.ts'
import { WHOLE } from '../../../rows/read/shard.ts'
import type { Shard } from '../../../rows/read/shard.ts'
import type { Context } from '../../../cli/command/context.ts'
import { switchFlag, textFlag } from '../../../cli/command/input.ts'
import type { CommandInput } from '../../../cli/command/input.ts'
import { parseCount } from '../../../cli/parse/count.ts'
import { UsageError } from '../../../errors.ts'
import { READY_MAPPINGS } from '../../../rows/import/ready-mappings.ts'
import { ON_EXISTS } from '../../../rows/import/send-record.ts'
import { readMaxFailures, readMaxWaitMs, readPace } from '../../file-settings.ts'
import { oneOf } from '../../../cli/parse/choices.ts'
import { readTableSettings } from '../../table-settings.ts'

/** Opens the input, and notes the delimiter and the ignored columns. Aborting `end` closes stdin. */
export async function openImportSource(
  invocation: Invocation,
  settings: ImportSettings,
  end: AbortSignal,
): Promise<ImportSource> {
  const opened = await openTable(invocation, tableOf(settings), end)
  await noteTable(invocation, opened, { ignoredAre: 'Columns that are not imported' })
  return sourceOf(opened)
}

/** Opens the same file again, without repeating the notes. */
export const reopenImportSource = async (
  invocation: Invocation,
  settings: ImportSettings,
): Promise<ImportSource> => sourceOf(await openTable(invocation, tableOf(settings)))

/** Rejects are UTF-8. A byte order mark says so where the input is not. */
function sourceOf({ rows, encoding }: OpenedRows): ImportSource {
  if (encoding === 'UTF-8') return rows
  return { ...rows, rejects: { ...rows.rejects, header: `\uFEFF${rows.rejects.header}` } }
}

const tableOf = (settings: ImportSettings) => ({
  schema: RECORD,
  settings,
  path: settings.path,
  check: checkRecord,
})

type Env = Readonly<Record<string, string | undefined>>

/**
 * Reads the flags of an import. Flags override the mapping file.
 * @throws {UsageError} if a flag is missing, malformed or in conflict with another
 */
export function readImportSettings(
  context: Pick<Context, 'cwd' | 'env' | 'readFile' | 'now'>,
  input: CommandInput,
): ImportSettings {
  const path = input.args['FILE'] ?? ''
  return {
    path,
    ...readTableSettings(context, input, {
      schema: RECORD,
      path,
      ready: READY_MAPPINGS,
      mayLackColumns: true,
    }),
    onExists: oneOf('--on-exists', textFlag(input, 'on-exists') ?? 'update', ON_EXISTS),
    ...readPace(input),
    maxFailures: readMaxFailures(textFlag(input, 'max-failures')),
    maxWaitMs: readMaxWaitMs(textFlag(input, 'max-wait')),
    canary: readCanary(input, path),
    results: textFlag(input, 'results'),
    rejects: textFlag(input, 'rejects'),
    restart: switchFlag(input, 'restart'),
    shard: readShard(textFlag(input, 'shard'), textFlag(input, 'shards'), context.env),
  }
}

/** --canary sends a first part and reads the input again for the rest, so it needs a file. */
function readCanary(input: CommandInput, path: string): number | undefined {
  const text = textFlag(input, 'canary')
  if (text === undefined) return undefined
  const canary = parseCount(text, '--canary')
  if (canary === 0) throw new UsageError('--canary must be 1 or more', { code: 'bad_value' })
  if (path !== '-') return canary
  throw new UsageError('--canary needs a file: stdin cannot be read twice', { code: 'bad_value' })
}

function readShard(shard: string | undefined, shards: string | undefined, env: Env): Shard {
  if (shard !== undefined && shards !== undefined)
    throw new UsageError('--shard and --shards both choose the part: use only one', { code: 'two_sources' })
  if (shard !== undefined) {
    const parts = /^(\d{1,6})\/(\d{1,6})$/.exec(shard)
    const [part, of] = [Number(parts?.[1]), Number(parts?.[2])]
    if (part >= 1 && part <= of) return { part, of }
    throw new UsageError(`--shard takes K/N with K from 1 to N, not "${shard}"`, { code: 'bad_value' })
  }
  if (shards === undefined) return WHOLE
  const of = parseCount(shards, '--shards')
  const index = env['JOB_COMPLETION_INDEX']
  if (of < 1 || index === undefined || !/^\d{1,6}$/.test(index) || Number(index) >= of)
    throw new UsageError(`--shards ${shards} needs JOB_COMPLETION_INDEX from 0 to ${of - 1}`, {
      code: 'bad_value',
      hint: 'An Indexed Job sets it. Elsewhere use --shard K/N.',
    })
  return { part: Number(index) + 1, of }
}
