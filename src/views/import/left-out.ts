import type { LeftOutCount } from '../../rows/left-out.ts'
import { maskCardNumbers } from '../../output/card-number.ts'
import { isSecretField } from '../../output/redact.ts'
import { groupThousands, pluralize } from '../../text/words.ts'

/** Masks card numbers and secrets, which may be in any column, and shortens long values. */
export const shownValue = (column: string, value: string): string =>
  isSecretField(column, value) ? '[redacted]' : shortText(value)

const LONGEST = 60

/** Masks before it cuts: a card number that is cut in half is not recognized. */
export function shortText(value: string): string {
  const masked = maskCardNumbers(value)
  return masked.length > LONGEST ? `${masked.slice(0, LONGEST)}…` : masked
}

/** The same counts, safe to show. */
export const shownLeftOut = (leftOut: readonly LeftOutCount[]): readonly LeftOutCount[] =>
  leftOut.map(({ column, value, rows }) => ({
    column: shortText(column),
    value: value === null ? null : shownValue(column, value),
    rows,
  }))

export const leftOutRows = (leftOut: readonly LeftOutCount[]): number =>
  leftOut.reduce((sum, { rows }) => sum + rows, 0)

const SHOWN_VALUES = 10

/** `The mapping leaves out 12 rows: Type "refund" (9), Type "fee" (3). 2 rows are empty.` */
export function leftOutSentence(leftOut: readonly LeftOutCount[]): string {
  const [empty, mapped] = [leftOut.filter(isEmptyRow), leftOut.filter((one) => !isEmptyRow(one))]
  const rows = leftOutRows(empty)
  const emptyRows = rows === 0 ? [] : [`${pluralize(rows, 'row')} ${rows === 1 ? 'is' : 'are'} empty.`]
  return [...(mapped.length === 0 ? [] : [mappedSentence(mapped)]), ...emptyRows].join(' ')
}

/** A row without any value is left out whatever the mapping says. */
const isEmptyRow = ({ column, value }: LeftOutCount): boolean => column === '' && value === ''

function mappedSentence(leftOut: readonly LeftOutCount[]): string {
  const named = shownLeftOut(leftOut.slice(0, SHOWN_VALUES)).map(
    ({ column, value, rows }) =>
      `${column} ${value === null ? 'with other values' : JSON.stringify(value)} (${groupThousands(rows)})`,
  )
  const others = leftOut.slice(SHOWN_VALUES)
  const more =
    others.length === 0
      ? ''
      : ` and ${pluralize(others.length, 'more value')} (${groupThousands(leftOutRows(others))})`
  return `The mapping leaves out ${pluralize(leftOutRows(leftOut), 'row')}: ${named.join(', ')}${more}.`
}
