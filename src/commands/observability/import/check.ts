import { resolve } from 'node:path'
import { refuseOtherContent } from '../../../rows/keep/output-files.ts'
import { openRowFile, outputFilesOf } from '../../../rows/keep/row-files.ts'
import type { RowFile } from '../../../rows/keep/row-files.ts'
import { rejectReason } from '../../../rows/send/row-message.ts'
import { resultOf } from '../../../cli/command/result.ts'
import type { Result } from '../../../cli/command/result.ts'
import type { Invocation } from '../../../cli/command/invocation.ts'
import { EXIT, PayError, interruptedBy } from '../../../errors.ts'
import { checkRows } from '../../../rows/import/check-rows.ts'
import { formsOf, refuseOneFileTwice } from '../../../rows/import/run-state.ts'
import { isOursIn, decidingRow } from '../../../rows/import/settings.ts'
import type { ImportSettings } from '../../../rows/import/settings.ts'
import type { ImportSource } from '../../../rows/import/source.ts'
import { leftOutSentence, shortText, shownLeftOut, shownValue } from '../../../views/import/left-out.ts'
import { groupThousands, pluralize } from '../../../text/words.ts'
import { progressOn } from '../../row-progress.ts'
import type { LeftOutCount } from '../../../rows/left-out.ts'
import { valuesLine } from '../../../rows/map/row-warnings.ts'
import type { RowWarning, UnknownValue } from '../../../rows/map/row-warnings.ts'
import type { CheckResult, ProblemGroup } from '../../../rows/import/check-rows.ts'
import { maskCardNumbers } from '../../../output/card-number.ts'
import { safeText } from '../../../output/safe-text.ts'
import type { Paint } from '../../../output/paint.ts'
import type { View } from '../../../output/view.ts'
import { repeatWords, repeatsSentence } from '../../../views/import/repeats.ts'
import type { ImportRepeats } from '../../../views/import/repeats.ts'

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
    const { bad, doubtful, rows } = checked
    if (bad + doubtful === 0) return resultOf(found, importCheckView)
    const problem =
      bad > 0
        ? new PayError(
            'bad_rows',
            EXIT.bulk,
            `Not every row can be sent: ${groupThousands(bad)} of ${groupThousands(rows)} can't`,
            { outcome: 'none' },
          )
        : new PayError(
            'unknown_values',
            EXIT.bulk,
            `The service may refuse ${groupThousands(doubtful)} of ${pluralize(groupThousands(rows), 'row')}: they have values that the API's specification doesn't list`,
            { outcome: 'none', hint: 'Map the values. If the service knows them, import the file as it is.' },
          )
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
  refuseOtherContent(outputFilesOf({ results: undefined, rejects: settings.rejects }, formsOf(source)), cwd)
  return openRowFile(path, source.rejects.header)
}

const badRows = (count: number): string =>
  pluralize(groupThousands(count), 'row that cannot be sent', 'rows that cannot be sent')

interface ImportCheck {
  readonly rows: number
  readonly good: number
  readonly bad: number
  /** Rows that can be sent, but that the service may refuse; left out if there are none. */
  readonly doubtful?: number
  /** The values outside the API's sets, with their rows; left out if there are none. */
  readonly unknownValues?: readonly (UnknownValue & { readonly rows: number })[]
  /** The line of a mapping file that maps them. */
  readonly valuesLine?: string
  /** Rows that the mapping leaves out; left out if there are none. */
  readonly leftOut?: readonly LeftOutCount[]
  readonly problems: readonly ProblemGroup[]
  /** The number of problems of further kinds. */
  readonly otherProblems?: number
  /** Left out if there are none. */
  readonly repeats?: ImportRepeats
  readonly warnings: readonly { readonly warning: string; readonly count: number }[]
}

/** Masks card numbers and secrets, which may be in any column, and shortens long values. */
const importCheckOf = (
  checked: Omit<CheckResult, 'repeats' | 'ended'> & {
    readonly repeats: ImportRepeats
    readonly warnings: readonly RowWarning[]
  },
): ImportCheck => ({
  rows: checked.rows,
  good: checked.rows - checked.bad - checked.doubtful,
  bad: checked.bad,
  ...(checked.leftOut.length === 0 ? {} : { leftOut: shownLeftOut(checked.leftOut) }),
  problems: checked.problems.map((group) => ({
    ...group,
    column: group.column === undefined ? undefined : shortText(group.column),
    problem: maskCardNumbers(group.problem),
    first: group.first.map(({ value, ...place }) => ({
      ...place,
      value: value === undefined ? undefined : shownValue(group.column ?? '', value),
    })),
  })),
  ...(checked.otherProblems === 0 ? {} : { otherProblems: checked.otherProblems }),
  warnings: checked.warnings.map(({ text, count }) => ({ warning: maskCardNumbers(text), count })),
  ...(checked.repeats.count === 0 ? {} : { repeats: shortRepeats(checked.repeats) }),
  ...unknownValuesOf(checked),
})

function unknownValuesOf({
  doubtful,
  warnings,
}: Pick<CheckResult, 'doubtful'> & { readonly warnings: readonly RowWarning[] }) {
  if (doubtful === 0) return {}
  const line = valuesLine(warnings)
  const unknownValues = warnings.flatMap(({ unknown, count }) =>
    unknown === undefined
      ? []
      : [{ ...unknown, value: shownValue(unknown.field, unknown.value), rows: count }],
  )
  return {
    doubtful,
    ...(line === undefined ? {} : { unknownValues, valuesLine: maskCardNumbers(line) }),
  }
}

const shortRepeats = (repeats: ImportRepeats): ImportRepeats => ({
  ...repeats,
  first: repeats.first.map((one) => ({ ...one, paymentId: shortText(one.paymentId) })),
})

const importCheckView: View<ImportCheck> = {
  ids: () => [],
  csvColumns: ['rows', 'good', 'bad'],
  render: (found, { paint }) => {
    const { problems, otherProblems = 0, repeats, warnings, valuesLine: mapping } = found
    return [
      headline(found, paint),
      ...problems.flatMap(({ column, field, problem, hint, count, first }) => [
        '',
        paint(`${nameOf(column, field)} ${safeText(problem)}: ${pluralize(count, 'time')}`, 'strong'),
        ...first.map(
          ({ row, line, value }) =>
            `  row ${row} (line ${line})${value === undefined ? '' : `: ${safeText(JSON.stringify(value))}`}`,
        ),
        ...(hint === undefined ? [] : [`  ${paint(safeText(hint), 'dim')}`]),
      ]),
      ...(otherProblems === 0 ? [] : ['', `And ${pluralize(otherProblems, 'problem')} of other kinds.`]),
      ...(repeats === undefined ? [] : ['', ...repeatLines(repeats, paint)]),
      ...(warnings.length === 0 ? [] : ['']),
      ...warnings.map(
        ({ warning, count }) => `${paint('!', 'warn')} ${safeText(warning)}: ${pluralize(count, 'row')}`,
      ),
      ...(mapping === undefined ? [] : [`  ${paint(safeText(mapThem(mapping)), 'dim')}`]),
    ].join('\n')
  },
}

/** How to map values outside the API's sets. */
export const mapThem = (line: string): string => `To map them, write in a mapping file (--mapping): ${line}`

function headline({ rows, good, bad, doubtful = 0 }: ImportCheck, paint: Paint): string {
  if (rows === 0) return 'No rows: there is nothing to import. Nothing was sent.'
  if (bad + doubtful === 0)
    return `${paint('✓', 'good')} ${pluralize(rows, 'row')}, all good. Nothing was sent.`
  const refused = doubtful === 0 ? '' : ` (the service may refuse ${doubtful})`
  return bad === 0
    ? `${paint('!', 'warn')} The service may refuse ${doubtful} of ${pluralize(rows, 'row')}, ${good} are good. Nothing was sent.`
    : `${paint('✗', 'bad')} ${bad} of ${pluralize(rows, 'row')} cannot be sent, ${good + doubtful} can${refused}. Nothing was sent.`
}

const nameOf = (column: string | undefined, field: string | undefined): string =>
  column === undefined ? 'The row' : `${safeText(column)}${field === undefined ? '' : ` (${field})`}`

const SHOWN_REPEATS = 5

function repeatLines(repeats: ImportRepeats, paint: Paint): readonly string[] {
  const { first } = repeats
  const more = first.length - SHOWN_REPEATS
  return [
    `${paint('!', 'warn')} ${repeatsSentence(repeats)}:`,
    ...first.slice(0, SHOWN_REPEATS).map((one) => `  ${safeText(repeatWords(one))}`),
    ...(more > 0 ? ['  and others'] : []),
  ]
}
