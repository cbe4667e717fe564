import { dirname, relative, resolve } from 'node:path'
import { checkBatchBody } from '../../../rows/batch/plan/batch-row.ts'
import { twoSources } from '../../../rows/batch/plan/capture-order.ts'
import { BATCH_ROW, NAMING_FIELDS } from '../../../rows/batch/plan/row-fields.ts'
import type { PlanSource } from '../../../rows/batch/plan.ts'
import { refuseOtherContent } from '../../../rows/keep/output-files.ts'
import { openRowFile } from '../../../rows/keep/row-files.ts'
import type { RowFile } from '../../../rows/keep/row-files.ts'
import { mappingError } from '../../../rows/map/mapping-error.ts'
import type { Rows } from '../../../rows/read/open-rows.ts'
import { encodedRejects } from '../../../rows/read/rejects.ts'
import type { Rejects } from '../../../rows/read/rejects.ts'
import type { Invocation } from '../../../cli/command/invocation.ts'
import { noteTable, openTable } from '../../open-table.ts'
import { lockBatchFiles } from '../lock-plan.ts'
import type { PlanSettings } from './read-settings.ts'

/** An open input, and how it is read. */
export interface BatchSource extends Rows {
  readonly source: PlanSource
}

/**
 * Opens the input of a plan. Aborting `end` closes stdin.
 * @throws {UsageError} if the header or the mapping does not fit a batch row
 */
export async function openBatchSource(
  invocation: Invocation,
  settings: PlanSettings,
  end: AbortSignal,
): Promise<BatchSource> {
  const { cwd } = invocation.context
  const { path } = settings
  const opened = await openTable(
    invocation,
    { schema: BATCH_ROW, settings, path, check: checkBatchBody },
    end,
  )
  const { rows, fields, delimiter, encoding, hasMark } = opened
  if (fields !== undefined) checkFields(fields, settings)
  await noteTable(invocation, opened, { ignoredAre: 'Columns that are not used' })
  const plan = resolve(cwd, settings.out)
  return {
    ...rows,
    rejects: await encodedRejects(rows.rejects, { encoding, hasMark }),
    source: {
      format: settings.format,
      delimiter,
      encoding: encoding.toLowerCase(),
      hasMark,
      path: path === '-' ? undefined : relative(dirname(plan), resolve(cwd, path)),
    },
  }
}

/** @throws {PayError} `unwritable_file` or `batch_running` */
export function openRejects(
  invocation: Invocation,
  { rejects: path }: PlanSettings,
  { header, isSuch, encode }: Rejects,
): RowFile | undefined {
  if (path === undefined) return undefined
  const { cwd } = invocation.context
  refuseOtherContent([{ flag: '--rejects', path, header, isSuch }], cwd)
  const release = lockBatchFiles(invocation, [path])
  const file = openRowFile(resolve(cwd, path), header, encode)
  return {
    ...file,
    close: () => {
      file.close()
      release()
    },
  }
}

/** NDJSON has no columns: each of its rows is checked. */
function checkFields(fields: readonly string[], { operation, takesAllIfEmpty, noFinal }: PlanSettings): void {
  const { mapping } = BATCH_ROW.hints
  if (!NAMING_FIELDS.some((name) => fields.includes(name)))
    throw missingColumn(NAMING_FIELDS.join(' or '), 'The header does not name payments', mapping)
  if (operation !== 'cancel' && !takesAllIfEmpty && !fields.includes('amount'))
    throw missingColumn(
      'amount',
      'The header has no amounts',
      `To ${operation} all that is left of every payment, add --empty-amount all. ${mapping}`,
    )
  if (noFinal && fields.includes('final')) throw twoSources()
}

const missingColumn = (path: string, what: string, hint: string) =>
  mappingError([{ path, description: 'is required, but no column provides it' }], {
    what,
    code: 'unusable_header',
    hint,
  })
