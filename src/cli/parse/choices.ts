import { UsageError } from '../../errors.ts'
import { didYouMean, joinChoices } from '../../text/suggest.ts'
import { textFlag } from '../command/input.ts'
import type { CommandInput } from '../command/input.ts'

/**
 * Narrows `text` to one of `choices`; `what` names the flag or argument in the error.
 * @throws {UsageError} suggesting the closest choice
 */
export function oneOf<Choice extends string>(what: string, text: string, choices: readonly Choice[]): Choice {
  const found = choices.find((choice) => choice === text)
  if (found !== undefined) return found
  throw new UsageError(`${what} takes ${joinChoices(choices)}, not "${text.slice(0, 40)}"`, {
    code: 'bad_value',
    hint: didYouMean(text, choices),
  })
}

/** Reads a flag that takes one or more values of a closed set, separated by commas. */
export const readChoices = <Choice extends string>(
  input: CommandInput,
  name: string,
  choices: readonly Choice[],
): readonly Choice[] | undefined =>
  textFlag(input, name)
    ?.split(',')
    .map((word) => oneOf(`--${name}`, word.trim(), choices))

/** Spells comma-separated values as the known ones; leaves unknown values unchanged. */
export const inCanonicalCase = (text: string, knownValues: readonly string[]): string =>
  text
    .split(',')
    .map((word) => knownValues.find((value) => value.toUpperCase() === word.trim().toUpperCase()) ?? word)
    .join(',')
