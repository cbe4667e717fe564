import { maskCardNumbers } from '../output/card-number.ts'
import { safeText } from '../output/safe-text.ts'
import type { View } from '../output/view.ts'

export interface ImportCheck {
  readonly rows: number
  readonly good: number
  readonly bad: number
  readonly problems: readonly {
    readonly column?: string | undefined
    readonly problem: string
    readonly hint?: string | undefined
    readonly count: number
    readonly first: readonly {
      readonly row: number
      readonly line: number
      readonly value?: string | undefined
    }[]
  }[]
}

/** What a bulk run would meet: problems by kind, each with where it is first. */
export const importCheckView: View<ImportCheck> = {
  ids: () => [],
  csvColumns: ['rows', 'good', 'bad'],
  render: ({ rows, good, bad, problems }, { paint }) =>
    [
      bad === 0
        ? `${paint('✓', 'good')} ${rows} rows, all good. Nothing was sent.`
        : `${paint('✗', 'bad')} ${bad} of ${rows} rows cannot be sent, ${good} can. Nothing was sent.`,
      ...problems.flatMap(({ column, problem, hint, count, first }) => [
        '',
        paint(
          `${column === undefined ? 'The row' : safeText(column)} ${safeText(problem)}: ${timesText(count)}`,
          'strong',
        ),
        ...first.map(
          ({ row, line, value }) =>
            `  row ${row} (line ${line})${value === undefined ? '' : `: ${JSON.stringify(shortText(value))}`}`,
        ),
        ...(hint === undefined ? [] : [`  ${paint(safeText(hint), 'dim')}`]),
      ]),
    ].join('\n'),
}

const timesText = (count: number): string => (count === 1 ? '1 time' : `${count} times`)

const shortText = (value: string): string =>
  safeText(maskCardNumbers(value.length > 60 ? `${value.slice(0, 60)}…` : value))
