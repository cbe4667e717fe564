import { frameOf } from '../../../src/cli/prompts/in-place.ts'
import type { Key, Picture, Step } from '../../../src/cli/command/prompts-port.ts'
import { plainPaint } from '../../../src/output/paint.ts'

/** The desk's screens as pure machines: keys to a state, a state to lines. */

/** `A`, `^R`, `Enter`, `down`: readline's names behind. */
export const keyOf = (word: string, atMs: number): Key => {
  const NAMES: Readonly<Record<string, string>> = { Enter: 'return', Esc: 'escape', Back: 'backspace' }
  const name = NAMES[word] ?? word.replace('^', '').toLowerCase()
  const isCtrl = word.startsWith('^')
  return { name, isCtrl, text: Array.from(word).length === 1 ? word : '', atMs }
}

/** Presses keys a second apart until one of them answers. */
export function pressAll<State, Answer>(
  state: State,
  press: (state: State, key: Key) => Step<State, Answer>,
  words: string,
  gapMs = 1_000,
): Step<State, Answer> {
  let step: Step<State, Answer> = { state }
  for (const [at, word] of words.split(' ').entries())
    if ('state' in step) step = press(step.state, keyOf(word, 10_000 + at * gapMs))
  return step
}

export const stateOf = <State, Answer>(step: Step<State, Answer>): State => {
  if ('answer' in step) throw new Error(`answered: ${JSON.stringify(step.answer)}`)
  return step.state
}

export const drawn = (picture: (columns: number) => Picture, columns: number): readonly string[] => {
  const { above, below } = frameOf(picture(columns - 3), { columns, rows: 24 }, plainPaint)
  return [...above, ...below]
}
