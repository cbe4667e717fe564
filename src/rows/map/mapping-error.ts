import { UsageError } from '../../errors.ts'
import type { ValidationProblem } from '../../errors.ts'
import { closest } from '../../text/suggest.ts'
import { METADATA } from './field-schema.ts'

const MAX_SHOWN = 20

export function mappingError(
  problems: readonly ValidationProblem[],
  { what, code, hint }: { readonly what: string; readonly code: string; readonly hint?: string },
): UsageError {
  const more = problems.length - MAX_SHOWN
  const [first] = problems
  const isSingle = problems.length === 1 && first !== undefined
  return new UsageError(
    isSingle ? `${what}: ${first.path}: ${first.description}` : `${what} (${problems.length} problems)`,
    {
      code,
      outcome: 'none',
      headline: isSingle ? what : undefined,
      validationErrors: [
        ...problems.slice(0, MAX_SHOWN),
        ...(more > 0 ? [{ path: '…', description: `and ${more} more` }] : []),
      ],
      hint,
    },
  )
}

export const didYouMean = (name: string, known: readonly string[], hasMetadata = false): string => {
  const suggestion =
    closest(name, known) ?? (hasMetadata && name.startsWith('metadata') ? `${METADATA}KEY` : undefined)
  return suggestion === undefined ? '' : `; did you mean "${suggestion}"?`
}
