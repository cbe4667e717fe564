import { UsageError } from '../errors.ts'
import type { ErrorDetails } from '../errors.ts'
import { didYouMean } from '../suggest.ts'

/**
 * Narrows `text` to one of `choices`. `choiceList` describes them in the error; `what` names the flag or argument.
 * @throws {UsageError} suggesting the closest choice
 */
export function oneOf<T extends string>(
  what: string,
  text: string,
  choices: readonly T[],
  { listed: choiceList = choices.join(', '), ...details }: ErrorDetails & { readonly listed?: string } = {},
): T {
  const found = choices.find((name) => name === text)
  if (found !== undefined) return found
  throw new UsageError(`${what} takes ${choiceList}, not "${text}"`, {
    code: 'bad_value',
    hint: didYouMean(text, choices),
    ...details,
  })
}
