import { basename, dirname, join } from 'node:path'
import { BATCH_OPERATIONS } from '../../../rows/batch/plan.ts'
import type { BatchOperation } from '../../../rows/batch/plan.ts'
import { BATCH_ROW } from '../../../rows/batch/planning/row-fields.ts'
import { refuseEqualFiles } from '../../../rows/keep/equal-files.ts'
import type { TableSettings } from '../../../rows/read/table-settings.ts'
import type { Context } from '../../../cli/command/context.ts'
import { textFlag } from '../../../cli/command/input.ts'
import type { CommandInput } from '../../../cli/command/input.ts'
import { UsageError } from '../../../errors.ts'
import { readPace } from '../../file-settings.ts'
import { oneOf } from '../../../cli/parse/choices.ts'
import { readTableSettings } from '../../table-settings.ts'

export interface PlanSettings extends TableSettings {
  readonly operation: BatchOperation
  /** `-` for stdin. */
  readonly path: string
  /** As typed, or next to the input. */
  readonly out: string
  readonly rejects: string | undefined
  /** Whether a row without an amount takes all that is left: `--empty-amount all`. */
  readonly takesAllIfEmpty: boolean
  /** Whether no capture is final: `--no-final`. */
  readonly noFinal: boolean
  readonly concurrency: number | undefined
  /** Requests per second. */
  readonly rate: number | undefined
}

/** @throws {UsageError} if an argument or flag is missing or malformed */
export function readPlanSettings(
  context: Pick<Context, 'cwd' | 'readFile' | 'now'>,
  input: CommandInput,
): PlanSettings {
  const operation = oneOf('OPERATION', input.args['OPERATION'] ?? '', BATCH_OPERATIONS)
  const path = input.args['FILE'] ?? ''
  const settings = {
    operation,
    path,
    ...readTableSettings(context, input, { schema: BATCH_ROW, path, amounts: 'typed' }),
    out: textFlag(input, 'out') ?? defaultOut(path),
    rejects: textFlag(input, 'rejects'),
    takesAllIfEmpty: readEmptyAmount(operation, textFlag(input, 'empty-amount')),
    noFinal: readNoFinal(operation, input),
    ...readPace(input),
  }
  refuseEqualFiles(
    [
      ['FILE', path === '-' ? undefined : path],
      ['--out', settings.out],
      ['--rejects', settings.rejects],
    ],
    context.cwd,
  )
  return settings
}

function readEmptyAmount(operation: BatchOperation, text: string | undefined): boolean {
  if (text === undefined) return false
  oneOf('--empty-amount', text, ['all'])
  if (operation !== 'cancel') return true
  throw new UsageError('--empty-amount is for refunds and captures: a cancellation has no amount', {
    code: 'bad_value',
    outcome: 'none',
    hint: 'Leave it out.',
  })
}

function readNoFinal(operation: BatchOperation, { flags }: CommandInput): boolean {
  // Commander stores --no-final as final: false.
  if (flags['final'] !== false) return false
  if (operation === 'capture') return true
  throw new UsageError('--no-final is for captures', {
    code: 'bad_value',
    outcome: 'none',
    hint: 'Leave it out.',
  })
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
