import { checkBatchBody } from '../../../batch/plan/batch-row.ts'
import { BATCH_ROW, NAMING_FIELDS } from '../../../batch/plan/row-fields.ts'
import type { PlanSource } from '../../../batch/plan.ts'
import { mappingError } from '../../../bulk/map/mapping.ts'
import { createRowWarnings } from '../../../bulk/map/row-warnings.ts'
import type { Input } from '../../../bulk/read/input.ts'
import type { InputFormat } from '../../../bulk/read/input-format.ts'
import { readNdjson } from '../../../bulk/read/ndjson.ts'
import { readTable } from '../../../bulk/read/table.ts'
import type { Invocation } from '../../../cli/command/invocation.ts'
import { noteColumns, openInput } from '../../open-input.ts'
import type { PlanSettings } from './read-settings.ts'

/** An open input, and how it is read. */
export interface BatchSource extends InputFormat {
  readonly input: Input
  readonly source: PlanSource
}

/**
 * Opens the input of a plan. Aborting `end` closes stdin.
 * @throws {UsageError} if the header or the mapping does not fit a batch row
 */
export async function openBatchSource(
  invocation: Invocation,
  { path, format, mapping, amounts }: PlanSettings,
  end: AbortSignal,
): Promise<BatchSource> {
  const input = await openInput(invocation, path, end)
  const cells = { amounts, assumesUtc: false }
  const rowWarnings = createRowWarnings()
  if (format === 'ndjson') {
    const complete = withoutNullFields
    const rows = readNdjson(BATCH_ROW, { mapping, cells, check: checkBatchBody, rowWarnings, complete })
    return { input, ...rows, source: { format } }
  }
  const { plan, header, ...table } = readTable(BATCH_ROW, input.head, { mapping, cells, rowWarnings })
  if (!plan.fields.some(({ path: field }) => NAMING_FIELDS.some((name) => name === field)))
    throw mappingError(
      [{ path: NAMING_FIELDS.join(' or '), description: 'is required, but no column provides it' }],
      {
        what: 'The header does not name payments',
        code: 'unusable_header',
        hint: BATCH_ROW.hints.mapping,
      },
    )
  await noteColumns(invocation, {
    delimiter: header.delimiter,
    ignored: plan.ignored,
    participle: 'used',
  })
  return { input, ...table, source: { format, delimiter: header.delimiter, columns: header.names } }
}

/** Null is what an empty cell is. */
const withoutNullFields = (body: Record<string, unknown>): Record<string, unknown> =>
  Object.fromEntries(Object.entries(body).filter(([, value]) => value !== null))
