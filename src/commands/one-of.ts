import { UsageError } from '../errors.ts'
import type { ErrorDetails } from '../errors.ts'
import { didYouMean } from '../suggest.ts'

/**
 * A value of a closed set. `listed` names the set in the error.
 * @throws {UsageError} with the value that was most likely meant
 */
export function oneOf<T extends string>(
  what: string,
  text: string,
  known: readonly T[],
  { listed = known.join(', '), ...details }: ErrorDetails & { readonly listed?: string } = {},
): T {
  const found = known.find((name) => name === text)
  if (found !== undefined) return found
  throw new UsageError(`${what} takes ${listed}, not "${text}"`, {
    code: 'bad_value',
    hint: didYouMean(text, known),
    ...details,
  })
}
