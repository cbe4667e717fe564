import { resolve } from 'node:path'
import { checkRun } from '../../import/check-run.ts'
import { openRowFile } from '../../bulk/keep/row-files.ts'
import type { RowFile } from '../../bulk/keep/row-files.ts'
import { reasonOf } from '../../bulk/send/row-words.ts'
import type { Invocation } from '../../cli/command/invocation.ts'
import { resultOf } from '../../cli/command/result.ts'
import type { Result } from '../../cli/command/result.ts'
import { EXIT, interruptedBy } from '../../errors.ts'
import { groupThousands } from '../../views/format-fields.ts'
import { importCheckOf, importCheckView } from '../../views/import/check.ts'
import { refuseFileOfRun, refuseOneFileTwice } from './import-place.ts'
import { progressOn } from './import-progress.ts'
import { isOursIn, keptOf } from './import-settings.ts'
import type { ImportSettings } from './import-settings.ts'
import type { ImportSource } from './import-source.ts'

const rowsOf = (bad: number): string =>
  `${groupThousands(bad)} ${bad === 1 ? 'row that cannot be sent' : 'rows that cannot be sent'}`

/** Only rejects are written: nothing becomes of a row that is not sent. */
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
  refuseFileOfRun(invocation, path)
  return openRowFile(path, source.rejects.header, undefined)
}

/** What an import would meet: every row is read, and nothing is sent. */
export async function checkImport(
  invocation: Invocation,
  settings: ImportSettings,
  source: ImportSource,
): Promise<Result> {
  const { stop } = invocation.context.interruption
  const rejects = await openRejects(invocation, settings, source)
  const progress = progressOn(invocation, source.input)
  const checked = await checkRun({
    ...source,
    chunks: source.input.from(source.start.byte),
    isOurs: isOursIn(settings),
    stop,
    onBad: ({ cells, problems }) =>
      rejects?.add(source.rejects.line(cells, reasonOf(problems, invocation.cleanWords))),
    onProgress: (rows, bad) => progress.show({ rows, failed: bad, unknown: 0 }),
  }).finally(() => rejects?.close())
  await progress.end()
  if (settings.rejects !== undefined && checked.bad > 0)
    await invocation.note(
      invocation.cleanWords(`Rejects: ${settings.rejects} (${rowsOf(checked.bad)}, each with the reason)`),
    )
  const found = importCheckOf({
    ...checked,
    repeats: { ...checked.repeats, kept: keptOf(settings.onExists) },
    remarks: source.rowWarnings.all(),
  })
  const ended = stop.aborted
    ? interruptedBy(stop, 'Interrupted: not all rows were checked. Nothing was sent.')
    : checked.ended
  if (ended === undefined) return resultOf(found, importCheckView, checked.bad === 0 ? EXIT.done : EXIT.bulk)
  // stdout is empty where a command fails: what stands before the place is told beside it.
  if (checked.rows > 0) {
    const options = { ...(await invocation.renderOptions()), paint: await invocation.paint('stderr') }
    await invocation.warn(`Up to there:\n${importCheckView.render(found, options)}\n`, 'ids')
  }
  throw ended
}
