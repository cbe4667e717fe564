import { resolve } from 'node:path'
import { createExternalPayment } from '../../api/operations/observability.ts'
import type { Block } from '../../bulk/blocks.ts'
import { DELIMITER_NAMES } from '../../bulk/csv.ts'
import type { ReadRow } from '../../bulk/import-run.ts'
import { openFile, openStream } from '../../bulk/input.ts'
import type { Input } from '../../bulk/input.ts'
import { readNdjson } from '../../bulk/read-ndjson.ts'
import { readTable } from '../../bulk/read-table.ts'
import type { Invocation } from '../../cli/invocation.ts'
import { checkBody } from '../../cli/validate.ts'
import type { ImportSettings } from './import-settings.ts'

/** The input, opened and understood: what is read from it, and how. */
export interface ImportSource {
  readonly input: Input
  readonly hasQuotes: boolean
  readonly start: { readonly byte: number; readonly line: number }
  readonly rowsOf: (block: Block) => {
    readonly rows: readonly ReadRow[]
    readonly problem: Error | undefined
  }
  /** Of the rejects, the reason aside. */
  readonly header: readonly string[]
  /** The same for two inputs that are read alike. */
  readonly reading: string
}

export async function openSource(invocation: Invocation, settings: ImportSettings): Promise<ImportSource> {
  const { context } = invocation
  const input =
    settings.path === '-'
      ? await openStream(context.stdin.chunks(), 'stdin')
      : await openFile(resolve(context.cwd, settings.path), settings.path)
  if (settings.format === 'ndjson') {
    const { start, rowsOf } = readNdjson(
      settings.words,
      settings,
      (body) => checkBody(createExternalPayment, body).problems,
    )
    const reading = JSON.stringify(['ndjson', [...settings.words.constants], settings.amounts])
    return { input, hasQuotes: false, start, rowsOf, header: ['record'], reading }
  }
  const { plan, delimiter, start, rowsOf } = readTable(input.head, settings.words, {
    ...settings,
    delimiter: undefined,
  })
  await invocation.note(`Read as CSV with ${DELIMITER_NAMES[delimiter]}s between its columns.`)
  if (plan.ignored.length > 0) await invocation.warn(`Columns that go nowhere: ${plan.ignored.join(', ')}.`)
  const reading = JSON.stringify(['csv', delimiter, plan.fields, settings.amounts, settings.assumesUtc])
  return { input, hasQuotes: true, start, rowsOf, header: plan.header, reading }
}
