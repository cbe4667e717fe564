import { createRowWarnings } from '../bulk/map/row-warnings.ts'
import type { RowWarnings } from '../bulk/map/row-warnings.ts'
import type { Delimiter } from '../bulk/read/csv.ts'
import type { Input } from '../bulk/read/input.ts'
import { readNdjson } from '../bulk/read/ndjson.ts'
import type { CheckBody } from '../bulk/read/ndjson.ts'
import type { InputFormat } from '../bulk/read/input-format.ts'
import { readTable } from '../bulk/read/table.ts'
import { RECORD } from './record-fields.ts'
import type { ImportSettings } from './settings.ts'

/** An open input, and how it is read. */
export interface ImportSource extends InputFormat {
  readonly input: Input
  /** The column that a field comes from, if the input has columns. */
  readonly columnOf?: (field: string) => string | undefined
  /** Warnings about the rows that were read so far. */
  readonly rowWarnings: RowWarnings
  /** Equal for two inputs that are read in the same way; part of the run's identity. */
  readonly formatKey: string
}

export interface OpenedSource {
  readonly source: ImportSource
  readonly delimiter: Delimiter | undefined
  /** Names of columns that are not imported. */
  readonly ignored: readonly string[]
}

/** @throws {UsageError} if the header or the mapping does not fit a record */
export function openSource(settings: ImportSettings, input: Input, check: CheckBody): OpenedSource {
  const { mapping, amounts, assumesUtc } = settings
  const cells = { amounts, assumesUtc }
  const rowWarnings = createRowWarnings()
  if (settings.format === 'ndjson') {
    const rows = readNdjson(RECORD, { mapping, cells, check, rowWarnings })
    const formatKey = JSON.stringify(['ndjson', [...mapping.constants], amounts, assumesUtc])
    return { source: { input, ...rows, rowWarnings, formatKey }, delimiter: undefined, ignored: [] }
  }
  const { plan, header, ...table } = readTable(RECORD, input.head, { mapping, cells, rowWarnings })
  const columns = new Map(plan.fields.map(({ path, column }) => [path, plan.header[column ?? -1]]))
  return {
    source: {
      input,
      ...table,
      columnOf: (field) => columns.get(field),
      rowWarnings,
      formatKey: JSON.stringify(['csv', header.delimiter, plan.fields, amounts, assumesUtc]),
    },
    delimiter: header.delimiter,
    ignored: plan.ignored,
  }
}
