import type { ErrorBody } from '../http/envelope.ts'
import type { RowProblem } from './prepare.ts'

/** As much of a reason as fits into a cell that somebody reads. */
const LONGEST_MESSAGE = 1_000
const LONGEST_VALUE = 60

/** Why the service did not take a row, in its own words, each of its validation errors with its path. */
export function wordsOfRefusal(status: number, { description, validationErrors = [] }: ErrorBody): string {
  const details = validationErrors.map((problem) => `${problem.path} ${problem.description}`)
  const words = [...(description === undefined ? [] : [description]), ...details]
  return words.length === 0 ? `the service answered ${status}` : words.join('; ')
}

/** Why a row cannot be sent. */
export const wordsOfProblems = (problems: readonly RowProblem[], clean: (text: string) => string): string =>
  problems
    .map(({ column, value, kind }) => {
      if (column === undefined) return `the row ${kind}`
      return value === undefined || value === ''
        ? `${column} ${kind}`
        : `${column} "${shortened(clean(value))}" ${kind}`
    })
    .join('; ')

const shortened = (text: string): string =>
  text.length > LONGEST_VALUE ? `${text.slice(0, LONGEST_VALUE)}…` : text

/** The reason of a row that was not sent, as files and messages have it. */
export const reasonOf = (problems: readonly RowProblem[], clean: (text: string) => string): string =>
  messageOf(wordsOfProblems(problems, clean), clean) ?? ''

/** Cleaned whole and then cut: half a secret would not be known for one. */
export function messageOf(text: string | undefined, clean: (text: string) => string): string | undefined {
  if (text === undefined) return undefined
  const cleaned = clean(text)
  return cleaned.length > LONGEST_MESSAGE ? `${cleaned.slice(0, LONGEST_MESSAGE)}…` : cleaned
}
