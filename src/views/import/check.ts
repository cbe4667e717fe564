import type { LeftOutCount } from '../../rows/left-out.ts'
import type { RowWarning } from '../../rows/map/row-warnings.ts'
import type { CheckResult, ProblemGroup } from '../../rows/import/check-rows.ts'
import { maskCardNumbers } from '../../output/card-number.ts'
import { safeText } from '../../output/safe-text.ts'
import type { Paint } from '../../output/paint.ts'
import type { View } from '../../output/view.ts'
import { repeatWords, repeatsSentence } from './repeats.ts'
import type { ImportRepeats } from './repeats.ts'
import { pluralize } from '../../text/words.ts'
import { shortText, shownLeftOut, shownValue } from './left-out.ts'

export interface ImportCheck {
  readonly rows: number
  readonly good: number
  readonly bad: number
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
export const importCheckOf = (
  checked: Omit<CheckResult, 'repeats' | 'ended'> & {
    readonly repeats: ImportRepeats
    readonly warnings: readonly RowWarning[]
  },
): ImportCheck => ({
  rows: checked.rows,
  good: checked.rows - checked.bad,
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
})

const shortRepeats = (repeats: ImportRepeats): ImportRepeats => ({
  ...repeats,
  first: repeats.first.map((one) => ({ ...one, paymentId: shortText(one.paymentId) })),
})

export const importCheckView: View<ImportCheck> = {
  ids: () => [],
  csvColumns: ['rows', 'good', 'bad'],
  render: ({ rows, good, bad, problems, otherProblems = 0, repeats, warnings }, { paint }) =>
    [
      rows === 0
        ? 'No rows: there is nothing to import. Nothing was sent.'
        : bad === 0
          ? `${paint('✓', 'good')} ${pluralize(rows, 'row')}, all good. Nothing was sent.`
          : `${paint('✗', 'bad')} ${bad} of ${pluralize(rows, 'row')} cannot be sent, ${good} can. Nothing was sent.`,
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
    ].join('\n'),
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
