import { checkBatchBody } from '../../../batch/plan/batch-row.ts'
import { BATCH_ROW, NAMING_FIELDS } from '../../../batch/plan/row-fields.ts'
import type { PlanSource } from '../../../batch/plan.ts'
import { mappingError } from '../../../bulk/map/mapping.ts'
import type { Rows } from '../../../bulk/read/open-rows.ts'
import type { Invocation } from '../../../cli/command/invocation.ts'
import { noteTable, openTable } from '../../open-table.ts'
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
  const { path } = settings
  const opened = await openTable(
    invocation,
    { schema: BATCH_ROW, settings, path, check: checkBatchBody },
    end,
  )
  const { rows, fields, delimiter, columns } = opened
  if (fields?.some((field) => NAMING_FIELDS.some((name) => name === field)) === false)
    throw mappingError(
      [{ path: NAMING_FIELDS.join(' or '), description: 'is required, but no column provides it' }],
      {
        what: 'The header does not name payments',
        code: 'unusable_header',
        hint: BATCH_ROW.hints.mapping,
      },
    )
  await noteTable(invocation, opened, { ignoredAre: 'Columns that are not used' })
  return {
    ...rows,
    source:
      delimiter === undefined || columns === undefined
        ? { format: 'ndjson' }
        : { format: 'csv', delimiter, columns },
  }
}
