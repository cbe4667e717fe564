import { maskCardNumbers } from '../output/card-number.ts'
import { safeText } from '../output/safe-text.ts'
import type { View } from '../output/view.ts'

/** What is wrong in the same way, with where it is first. */
interface Problem {
  /** Left out for what is wrong with whole rows. */
  readonly column?: string | undefined
  readonly problem: string
  readonly hint?: string | undefined
  readonly count: number
  readonly first: readonly {
    readonly row: number
    readonly line: number
    readonly value?: string | undefined
  }[]
}

export interface ImportCheck {
  readonly rows: number
  readonly good: number
  readonly bad: number
  readonly problems: readonly Problem[]
  /** Problems of further kinds. */
  readonly otherProblems?: number
  readonly warnings: readonly { readonly warning: string; readonly count: number }[]
}

/** What may be shown: card numbers may stand in any column, and a cell may be as long as a book. */
export const importCheckOf = (checked: {
  readonly rows: number
  readonly bad: number
  readonly problems: readonly Problem[]
  readonly otherProblems: number
  readonly remarks: readonly { readonly remark: string; readonly count: number }[]
}): ImportCheck => ({
  rows: checked.rows,
  good: checked.rows - checked.bad,
  bad: checked.bad,
  problems: checked.problems.map((group) => ({
    ...group,
    column: group.column === undefined ? undefined : shortText(group.column),
    problem: maskCardNumbers(group.problem),
    first: group.first.map(({ row, line, value }) =>
      value === undefined ? { row, line } : { row, line, value: shortText(value) },
    ),
  })),
  ...(checked.otherProblems === 0 ? {} : { otherProblems: checked.otherProblems }),
  warnings: checked.remarks.map(({ remark, count }) => ({ warning: maskCardNumbers(remark), count })),
})

const LONGEST = 60

/** Masked before it is cut: half a number would not be known for one. */
function shortText(value: string): string {
  const masked = maskCardNumbers(value)
  return masked.length > LONGEST ? `${masked.slice(0, LONGEST)}…` : masked
}

export const importCheckView: View<ImportCheck> = {
  ids: () => [],
  csvColumns: ['rows', 'good', 'bad'],
  render: ({ rows, good, bad, problems, otherProblems = 0, warnings }, { paint }) =>
    [
      bad === 0
        ? `${paint('✓', 'good')} ${counted(rows, 'row')}, all good. Nothing was sent.`
        : `${paint('✗', 'bad')} ${bad} of ${counted(rows, 'row')} cannot be sent, ${good} can. Nothing was sent.`,
      ...problems.flatMap(({ column, problem, hint, count, first }) => [
        '',
        paint(
          `${column === undefined ? 'The row' : safeText(column)} ${safeText(problem)}: ${counted(count, 'time')}`,
          'strong',
        ),
        ...first.map(
          ({ row, line, value }) =>
            `  row ${row} (line ${line})${value === undefined ? '' : `: ${safeText(JSON.stringify(value))}`}`,
        ),
        ...(hint === undefined ? [] : [`  ${paint(safeText(hint), 'dim')}`]),
      ]),
      ...(otherProblems === 0 ? [] : ['', `And ${counted(otherProblems, 'problem')} of other kinds.`]),
      ...(warnings.length === 0 ? [] : ['']),
      ...warnings.map(
        ({ warning, count }) => `${paint('!', 'warn')} ${safeText(warning)}: ${counted(count, 'row')}`,
      ),
    ].join('\n'),
}

const counted = (count: number, what: string): string => `${count} ${what}${count === 1 ? '' : 's'}`
