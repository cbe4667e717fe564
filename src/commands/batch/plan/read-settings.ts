import { basename, dirname, join, resolve } from 'node:path'
import { BATCH_OPERATIONS } from '../../../batch/plan.ts'
import type { BatchOperation } from '../../../batch/plan.ts'
import type { CellOptions } from '../../../bulk/map/cell.ts'
import { NO_MAPPING_FILE } from '../../../bulk/map/mapping-file.ts'
import type { MappingFile } from '../../../bulk/map/mapping-file.ts'
import type { ColumnMapping } from '../../../bulk/map/mapping.ts'
import { textFlag } from '../../../cli/command/input.ts'
import type { CommandInput } from '../../../cli/command/input.ts'
import { readArgument } from '../../../cli/parse/choices.ts'
import { UsageError } from '../../../errors.ts'
import { readConcurrency, readFormat, readMapping, readPath, readRate } from '../../file-settings.ts'
import { oneOf } from '../../one-of.ts'

export interface PlanSettings {
  readonly operation: BatchOperation
  /** `-` for stdin. */
  readonly path: string
  readonly format: 'csv' | 'ndjson'
  readonly mapping: ColumnMapping
  readonly amounts: CellOptions['amounts']
  /** As typed, or beside the input. */
  readonly out: string
  readonly concurrency: number | undefined
  /** Requests per second. */
  readonly rate: number | undefined
}

/** @throws {UsageError} if an argument or flag is missing or malformed */
export function readPlanSettings(
  input: CommandInput,
  cwd: string,
  file: MappingFile = NO_MAPPING_FILE,
): PlanSettings {
  const operation = readArgument(input, 'OPERATION', BATCH_OPERATIONS, 'pay batch plan --help')
  const path = readPath(input)
  const amounts = textFlag(input, 'amounts') ?? file.amounts
  const settings = {
    operation,
    path,
    format: readFormat(path, textFlag(input, 'format')),
    mapping: readMapping(input, file),
    amounts: amounts === undefined ? ('typed' as const) : oneOf('--amounts', amounts, ['minor', 'major']),
    out: textFlag(input, 'out') ?? defaultOut(path),
    concurrency: readConcurrency(textFlag(input, 'concurrency')),
    rate: readRate(textFlag(input, 'rate')),
  }
  if (settings.out === '') throw new UsageError('--out is empty', { code: 'bad_value' })
  if (resolve(cwd, settings.out) === resolve(cwd, path))
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
