import { UsageError } from '../../errors.ts'

interface WrongFlag {
  /** As the flag is called, without dashes. */
  readonly field: string
  readonly description: string
}

/** One error for all that is wrong with the flags of a command. */
export function invalidFlags(
  problems: readonly WrongFlag[],
  { code, words, help }: { readonly code: string; readonly words: string; readonly help: string },
): UsageError {
  const [first] = problems
  return new UsageError(
    problems.length === 1 && first !== undefined
      ? `--${first.field} ${first.description}`
      : `${words} (${problems.length} problems)`,
    {
      code,
      outcome: 'none',
      validationErrors:
        problems.length === 1
          ? []
          : problems.map(({ field, description }) => ({ path: `--${field}`, description })),
      next: [help],
    },
  )
}
