import type { Choice, ChoiceQuestion } from '../command/prompts-port.ts'

export interface Matches {
  /** The only choice with exactly this value or alias; undefined if there are none or several. */
  readonly exact: Choice | undefined
  /** All choices that contain every word. */
  readonly partial: readonly Choice[]
  /** The answer itself, if the question takes free text and the answer is not the value of the exact choice. */
  readonly freeText: string | undefined
}

/** The choices that an answer can mean. The search ignores case; an exact match does not, since order B-1 is not b-1. */
export function matchesOf({ choices, freeText }: ChoiceQuestion, text: string): Matches {
  const answer = text.trim()
  const [exact, ...others] = choices.filter(({ value, aliases = [] }) => [value, ...aliases].includes(answer))
  return {
    exact: others.length === 0 ? exact : undefined,
    partial: choices.filter((choice) => isMatch(choice, answer)),
    freeText: freeText === undefined || answer === '' || exact?.value === answer ? undefined : answer,
  }
}

function isMatch({ value, text, keywords = '', aliases = [] }: Choice, answer: string): boolean {
  const words = [value, text, keywords, ...aliases].join(' ').toLowerCase()
  return answer
    .toLowerCase()
    .split(/\s+/)
    .every((word) => words.includes(word))
}
