import type { Choice, ChoiceQuestion } from './prompts-port.ts'

/** What a question with choices shows for what was typed so far. */
export type ChoiceRow =
  | { readonly kind: 'choice'; readonly choice: Choice }
  /** Takes what was typed as the answer. */
  | { readonly kind: 'typed'; readonly answer: string }
  /** Puts the choices away, for an answer of one's own. */
  | { readonly kind: 'other'; readonly what: string }

/** The choices that hold every word typed, and last of all what is typed itself. */
export function rowsFor(
  { choices, typed }: Pick<ChoiceQuestion, 'choices' | 'typed'>,
  term: string,
  isTyping: boolean,
): readonly ChoiceRow[] {
  const answer = term.trim()
  const found = isTyping ? [] : choices.filter((choice) => isFoundBy(choice, answer))
  const rows = found.map((choice) => ({ kind: 'choice', choice }) as const)
  if (typed === undefined) return rows
  if (answer !== '')
    return found.some(({ value }) => value === answer) ? rows : [...rows, { kind: 'typed', answer }]
  return isTyping ? [] : [...rows, { kind: 'other', what: typed.what }]
}

/**
 * Where the mark stands when something was typed: on the one row that is called so, or that alone is left. Where several may
 * be meant, nowhere: the payment of order B-12 is not that of order B-1.
 */
export function firstActive(rows: readonly ChoiceRow[], term: string): number | undefined {
  const answer = term.trim()
  const [exact, ...others] = rows.filter((row) => isCalled(row, answer))
  if (exact !== undefined && others.length === 0) return rows.indexOf(exact)
  return answer !== '' && rows.length > 1 ? undefined : 0
}

/** The row after a step up or down; the first step goes to an end. */
export function steppedFrom(active: number | undefined, step: 1 | -1, count: number): number {
  const at = active ?? (step === 1 ? -1 : count)
  return Math.max(0, Math.min(count - 1, at + step))
}

/** What an answer to a list with numbers may mean: one row, or several that are to be asked about. */
export function rowsMeantBy(
  question: ChoiceQuestion,
  listed: readonly ChoiceRow[],
  answer: string,
): readonly ChoiceRow[] {
  const found = rowsFor(question, answer, false)
  const exact = found.filter((row) => isCalled(row, answer))
  const [, sign, number] = /^(#?)(\d{1,4})$/.exec(answer) ?? []
  const numbered = number === undefined ? undefined : listed[Number(number) - 1]
  if (numbered === undefined) return exact.length === 1 ? exact : found
  if (sign === '#' && exact.length === 0) return [numbered]
  // Orders have numbers too; what only holds the number, as a date does, is not called so.
  const others =
    exact.length === 0 ? found : found.filter((row) => row.kind === 'typed' || exact.includes(row))
  return [numbered, ...others.filter((row) => !isSame(row, numbered))]
}

export function wordsOf(row: ChoiceRow): string {
  if (row.kind === 'choice') return row.choice.text
  return row.kind === 'typed' ? `use "${row.answer}"` : `type ${row.what}`
}

export interface Window {
  readonly from: number
  readonly to: number
}

/** So many rows around the active one. */
export function windowOf(count: number, active: number, size: number): Window {
  const from = Math.max(0, Math.min(active - Math.floor(size / 2), count - size))
  return { from, to: Math.min(count, from + size) }
}

const isCalled = (row: ChoiceRow, answer: string): boolean =>
  row.kind === 'choice' && [row.choice.value, ...(row.choice.known ?? [])].includes(answer)

const isSame = (one: ChoiceRow, other: ChoiceRow): boolean =>
  one.kind === 'choice' && other.kind === 'choice' && one.choice === other.choice

function isFoundBy({ value, text, findBy = '', known = [] }: Choice, term: string): boolean {
  const words = [value, text, findBy, ...known].join(' ').toLowerCase()
  return term
    .toLowerCase()
    .split(/\s+/)
    .every((word) => words.includes(word))
}
