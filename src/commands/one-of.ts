import { UsageError } from '../errors.ts'
import type { ErrorDetails } from '../errors.ts'
import { didYouMean } from '../suggest.ts'

/**
 * Narrows `text` to one of `known`. `listed` describes the choices in the error.
 * @throws {UsageError} suggesting the closest choice
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
