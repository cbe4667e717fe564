import type { Choice, ChoiceQuestion } from '../command/prompts-port.ts'

export interface Matches {
  /** The one choice with exactly this value or name; undefined if none or several have it. */
  readonly exact: Choice | undefined
  /** All choices that hold every word. */
  readonly found: readonly Choice[]
  /** The text itself as the answer, where the question takes one and no choice has this value. */
  readonly own: string | undefined
}

/** What the text of an answer can mean. Matches ignore case; an exact one does not: order B-1 is neither B-12 nor b-1. */
export function matchesOf({ choices, freeText }: ChoiceQuestion, text: string): Matches {
  const answer = text.trim()
  const [exact, ...others] = choices.filter(({ value, aliases = [] }) => [value, ...aliases].includes(answer))
  return {
    exact: others.length === 0 ? exact : undefined,
    found: choices.filter((choice) => isMatch(choice, answer)),
    own: freeText === undefined || answer === '' || exact?.value === answer ? undefined : answer,
  }
}

function isMatch({ value, text, keywords = '', aliases = [] }: Choice, answer: string): boolean {
  const words = [value, text, keywords, ...aliases].join(' ').toLowerCase()
  return answer
    .toLowerCase()
    .split(/\s+/)
    .every((word) => words.includes(word))
}
