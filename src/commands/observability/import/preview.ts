import { shownUrl } from '../../../client/config/sandbox-url.ts'
import type { Invocation } from '../../../cli/command/invocation.ts'
import { interruptedBy } from '../../../errors.ts'
import { checkRows } from '../../../rows/import/check-rows.ts'
import { isOursIn } from '../../../rows/import/settings.ts'
import type { ImportSettings } from '../../../rows/import/settings.ts'
import type { ImportSource } from '../../../rows/import/source.ts'
import { createTotals } from '../../../rows/import/totals.ts'
import type { Total } from '../../../rows/import/totals.ts'
import { importPreviewLines } from '../../../views/import/preview.ts'
import { groupThousands, pluralize } from '../../../text/words.ts'
import { reopenImportSource } from './open-source.ts'
import { progressOn } from '../../row-progress.ts'

/** Counting the rows of a larger file takes longer than you want to wait for a question. */
const LARGEST_COUNTED_BYTES = 32 * 1024 * 1024
const LARGEST_COUNTED_GZIP_BYTES = 4 * 1024 * 1024

export interface ImportPreview {
  readonly rows: number
  readonly isEstimate: boolean
  /** undefined if only part of the input was read. */
  readonly bad: number | undefined
  readonly totals: readonly Total[]
}

/** What an import would send. undefined if that is unknown, such as for stdin, which can be read only once. */
export async function previewOf(
  invocation: Invocation,
  settings: ImportSettings,
  { input: { size, textSize, isCompressed, head }, start }: ImportSource,
): Promise<ImportPreview | undefined> {
  if (size === undefined) return undefined
  const secondSource = await reopenImportSource(invocation, settings)
  if (size > (isCompressed ? LARGEST_COUNTED_GZIP_BYTES : LARGEST_COUNTED_BYTES)) {
    if (textSize === undefined || settings.shard.of > 1) return undefined
    const bytes = head.subarray(start.byte)
    let seen = 0
    for await (const { records } of secondSource.records([bytes], start))
      seen += records.filter(({ cells }) => secondSource.rowOf(cells).leftOut === undefined).length
    const rows = Math.round((seen * (textSize - start.byte)) / Math.max(1, bytes.length))
    return { rows, isEstimate: true, bad: undefined, totals: [] }
  }
  const { stop } = invocation.context.interruption
  const totals = createTotals()
  const progress = progressOn(invocation, secondSource.input)
  const checked = await checkRows({
    ...secondSource,
    chunks: secondSource.input.from(start.byte),
    isOurs: isOursIn(settings),
    stop,
    onGood: totals.add,
    onProgress: (rows, bad) => progress.show({ rows, failed: bad, unknown: 0 }),
  })
  await progress.end()
  if (stop.aborted) throw interruptedBy(stop)
  return { rows: checked.rows, isEstimate: false, bad: checked.bad, totals: totals.all() }
}

/** `12 rows`, for the question. */
export const describeRowCount = ({ rows, isEstimate }: ImportPreview): string =>
  `${isEstimate ? 'about ' : ''}${pluralize(groupThousands(rows), 'row')}`

/** Prints what is sent where, above the question. */
export async function showPreview(
  invocation: Invocation,
  settings: ImportSettings,
  preview: ImportPreview | undefined,
): Promise<void> {
  const { mode, profile, baseUrl } = await invocation.account()
  const lines = importPreviewLines({
    ...preview,
    file: settings.path === '-' ? 'stdin' : settings.path,
    target: `${mode.value}, ${profile === undefined ? baseUrl.value : `profile ${profile.value} (${shownUrl(baseUrl.value)})`}`,
    onExists: settings.onExists,
  })
  for (const line of lines) await invocation.warn(line)
}
