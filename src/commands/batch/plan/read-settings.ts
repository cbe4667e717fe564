import { basename, dirname, join, resolve } from 'node:path'
import { BATCH_OPERATIONS } from '../../../batch/plan.ts'
import type { BatchOperation } from '../../../batch/plan.ts'
import { BATCH_ROW } from '../../../batch/plan/row-fields.ts'
import type { TableSettings } from '../../../bulk/read/table-settings.ts'
import type { Context } from '../../../cli/command/context.ts'
import { textFlag } from '../../../cli/command/input.ts'
import type { CommandInput } from '../../../cli/command/input.ts'
import { readArgument } from '../../../cli/parse/choices.ts'
import { UsageError } from '../../../errors.ts'
import { readConcurrency, readPath, readRate } from '../../file-settings.ts'
import { readTableSettings } from '../../table-settings.ts'

export interface PlanSettings extends TableSettings {
  readonly operation: BatchOperation
  /** `-` for stdin. */
  readonly path: string
  /** As typed, or next to the input. */
  readonly out: string
  readonly concurrency: number | undefined
  /** Requests per second. */
  readonly rate: number | undefined
}

/** @throws {UsageError} if an argument or flag is missing or malformed */
export function readPlanSettings(
  context: Pick<Context, 'cwd' | 'readFile'>,
  input: CommandInput,
): PlanSettings {
  const operation = readArgument(input, 'OPERATION', BATCH_OPERATIONS, 'pay batch plan --help')
  const path = readPath(input)
  const settings = {
    operation,
    path,
    ...readTableSettings(context, input, { schema: BATCH_ROW, path, amounts: 'typed' }),
    out: textFlag(input, 'out') ?? defaultOut(path),
    concurrency: readConcurrency(textFlag(input, 'concurrency')),
    rate: readRate(textFlag(input, 'rate')),
  }
  if (settings.out === '') throw new UsageError('--out is empty', { code: 'bad_value' })
  if (resolve(context.cwd, settings.out) === resolve(context.cwd, path))
    throw new UsageError('FILE and --out are the same file', {
      code: 'two_sources',
      outcome: 'none',
      hint: 'Name another file for the plan.',
    })
  return settings
}

/** `in/refunds.csv.gz` becomes `in/refunds.plan.ndjson`. */
function defaultOut(path: string): string {
  if (path === '-')
    throw new UsageError('A plan of stdin needs --out', {
      code: 'missing_input',
      hint: 'Add --out NAME.plan.ndjson.',
    })
  const name = basename(path)
    .replace(/\.gz$/i, '')
    .replace(/(?<=.)\.[^.]*$/, '')
  const folder = dirname(path)
  const out = `${name}.plan.ndjson`
  return folder === '.' && !path.startsWith('.') ? out : join(folder, out)
}
