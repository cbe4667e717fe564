import { UsageError } from '../../errors.ts'
import { didYouMean, joinChoices } from '../../suggest.ts'
import { textFlag } from '../command/input.ts'
import type { CommandInput } from '../command/input.ts'

/** Reads a flag that takes one or more values of a closed set, separated by commas. */
export function readChoices<Choice extends string>(
  input: CommandInput,
  name: string,
  choices: readonly Choice[],
): readonly Choice[] | undefined {
  return textFlag(input, name)
    ?.split(',')
    .map((word) => {
      const chosen = choices.find((choice) => choice === word.trim())
      if (chosen !== undefined) return chosen
      throw new UsageError(`--${name} takes ${joinChoices(choices)}, not "${word}"`, {
        code: 'bad_value',
        hint: didYouMean(word, choices),
      })
    })
}

/** The values in the case of the known ones; unknown values stay unchanged. */
export const inCanonicalCase = (text: string, knownValues: readonly string[]): string =>
  text
    .split(',')
    .map((word) => knownValues.find((value) => value.toUpperCase() === word.trim().toUpperCase()) ?? word)
    .join(',')

/** Reads an argument of a closed set. */
export function readArgument<Choice extends string>(
  input: CommandInput,
  name: string,
  choices: readonly Choice[],
  help: string,
): Choice {
  const typed = input.args[name]
  const chosen = choices.find((choice) => choice === typed)
  if (chosen !== undefined) return chosen
  if (typed === undefined)
    throw new UsageError(`Missing: ${name} (${joinChoices(choices)})`, {
      code: 'missing_input',
      next: [help],
    })
  throw new UsageError(`${name} takes ${joinChoices(choices)}, not "${typed.slice(0, 40)}"`, {
    code: 'bad_value',
    hint: didYouMean(typed, choices),
    next: [help],
  })
}
