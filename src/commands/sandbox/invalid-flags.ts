import { UsageError } from '../../errors.ts'

interface InvalidFlag {
  /** The name of the flag, without dashes. */
  readonly field: string
  readonly description: string
}

/** One error for every problem with a command's flags. */
export function invalidFlags(
  problems: readonly InvalidFlag[],
  { code, summary, help }: { readonly code: string; readonly summary: string; readonly help: string },
): UsageError {
  const [first] = problems
  return new UsageError(
    problems.length === 1 && first !== undefined
      ? `--${first.field} ${first.description}`
      : `${summary} (${problems.length} problems)`,
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
