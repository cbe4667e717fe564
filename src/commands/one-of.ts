import { UsageError } from '../errors.ts'
import type { ErrorDetails } from '../errors.ts'
import { didYouMean, joinChoices } from '../suggest.ts'

/**
 * Narrows `text` to one of `choices`; `what` names the flag or argument in the error.
 * @throws {UsageError} suggesting the closest choice
 */
export function oneOf<T extends string>(
  what: string,
  text: string,
  choices: readonly T[],
  details: ErrorDetails = {},
): T {
  const found = choices.find((name) => name === text)
  if (found !== undefined) return found
  throw new UsageError(`${what} takes ${joinChoices(choices)}, not "${text}"`, {
    code: 'bad_value',
    hint: didYouMean(text, choices),
    ...details,
  })
}
