import { textFlag } from '../cli/command/input.ts'
import type { CommandInput } from '../cli/command/input.ts'
import { shellWord } from '../shell-word.ts'

/** The given flags among `names`, as words of a command line that repeats them. */
export const flagWords = (input: CommandInput, names: readonly string[]): readonly string[] =>
  names.flatMap((name) => {
    const value = input.flags[name]
    if (value === true) return [`--${name}`]
    const texts = typeof value === 'object' ? value : [textFlag(input, name)]
    return texts.flatMap((text) => (text === undefined ? [] : [`--${name} ${shellWord(text)}`]))
  })
