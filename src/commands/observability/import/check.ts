import { resolve } from 'node:path'
import { refuseOtherContent } from '../../../rows/keep/output-files.ts'
import { openRowFile } from '../../../rows/keep/row-files.ts'
import type { RowFile } from '../../../rows/keep/row-files.ts'
import { rejectReason } from '../../../rows/send/row-message.ts'
import { resultOf } from '../../../cli/command/result.ts'
import type { Result } from '../../../cli/command/result.ts'
import type { Invocation } from '../../../cli/command/invocation.ts'
import { EXIT, PayError, interruptedBy } from '../../../errors.ts'
import { checkRows } from '../../../rows/import/check-rows.ts'
import { outputFilesOf } from '../../../rows/import/output-files.ts'
import { refuseOneFileTwice } from '../../../rows/import/run-state.ts'
import { isOursIn, decidingRow } from '../../../rows/import/settings.ts'
import type { ImportSettings } from '../../../rows/import/settings.ts'
import type { ImportSource } from '../../../rows/import/source.ts'
import { importCheckOf, importCheckView } from '../../../views/import/check.ts'
import { leftOutSentence } from '../../../views/import/left-out.ts'
import { groupThousands, pluralize } from '../../../text/words.ts'
import { progressOn } from '../../row-progress.ts'

/** Checks every row and sends none. Writes the rejects file if it is named. */
export async function checkImport(
  invocation: Invocation,
  settings: ImportSettings,
  source: ImportSource,
): Promise<Result> {
  const { stop } = invocation.context.interruption
  const rejects = await openRejects(invocation, settings, source)
  const progress = progressOn(invocation, source.input)
  const checked = await checkRows({
    ...source,
    chunks: source.input.from(source.start.byte),
    isOurs: isOursIn(settings),
    stop,
    onBad: ({ cells, problems }) =>
      rejects?.add(source.rejects.line(cells, rejectReason(problems, invocation.cleanText))),
    onProgress: (rows, bad) => progress.show({ rows, failed: bad, unknown: 0 }),
  }).finally(() => rejects?.close())
  await progress.end()
  if (checked.leftOut.length > 0)
    await invocation.note(invocation.cleanText(leftOutSentence(checked.leftOut)))
  if (settings.rejects !== undefined && checked.bad > 0)
    await invocation.note(
      invocation.cleanText(`Rejects: ${settings.rejects} (${badRows(checked.bad)}, each with the reason)`),
    )
  const found = importCheckOf({
    ...checked,
    repeats: { ...checked.repeats, kept: decidingRow(settings.onExists) },
    warnings: source.rowWarnings.all(),
  })
  const ended = stop.aborted
    ? interruptedBy(stop, 'Interrupted: not all rows were checked. Nothing was sent.')
    : checked.ended
  if (ended === undefined) {
    if (checked.bad === 0) return resultOf(found, importCheckView)
    const says = `Not every row can be sent: ${groupThousands(checked.bad)} of ${groupThousands(checked.rows)} can't`
    const problem = new PayError('bad_rows', EXIT.bulk, says, { outcome: 'none' })
    return { ...resultOf(found, importCheckView, problem.exitCode), problem }
  }
  // A failed command prints nothing to stdout, so what was found so far goes to stderr.
  if (checked.rows > 0) {
    const options = { ...(await invocation.renderOptions()), paint: await invocation.paint('stderr') }
    await invocation.warn(`Found so far:\n${importCheckView.render(found, options)}\n`, 'ids')
  }
  throw ended
}

async function openRejects(
  invocation: Invocation,
  settings: ImportSettings,
  source: ImportSource,
): Promise<RowFile | undefined> {
  const { cwd } = invocation.context
  refuseOneFileTwice(settings, cwd)
  if (settings.results !== undefined)
    await invocation.note('A dry run sends nothing, so it does not write --results.')
  if (settings.rejects === undefined) return undefined
  const path = resolve(cwd, settings.rejects)
  refuseOtherContent(outputFilesOf({ results: undefined, rejects: settings.rejects }, source), cwd)
  return openRowFile(path, source.rejects.header)
}

const badRows = (count: number): string =>
  pluralize(groupThousands(count), 'row that cannot be sent', 'rows that cannot be sent')
