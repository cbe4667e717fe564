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

/** Where the mark stands when something was typed: on the very answer, before those that only hold it. */
export function firstActive(rows: readonly ChoiceRow[], term: string): number {
  const exact = rows.findIndex((row) => row.kind === 'choice' && row.choice.value === term.trim())
  return Math.max(0, exact)
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

function isFoundBy({ value, text, findBy = '' }: Choice, term: string): boolean {
  const words = `${value} ${text} ${findBy}`.toLowerCase()
  return term
    .toLowerCase()
    .split(/\s+/)
    .every((word) => words.includes(word))
}
