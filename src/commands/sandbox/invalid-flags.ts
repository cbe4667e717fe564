import { UsageError } from '../../errors.ts'
import { Problem } from '../../sandbox/problem.ts'

/** Reads a command's flags as the sandbox does. One error tells every problem with them. */
export function readFlags<T>(
  read: () => T,
  { code, summary, help }: { readonly code: string; readonly summary: string; readonly help: string },
): T {
  try {
    return read()
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    const problems = (error.details.validationErrors ?? []).map(({ path, description }) => ({
      path: path.replace('$.', '--'),
      description,
    }))
    const [first] = problems
    throw new UsageError(
      problems.length === 1 && first !== undefined
        ? `${first.path} ${first.description}`
        : `${summary} (${problems.length} problems)`,
      { code, validationErrors: problems.length === 1 ? [] : problems, next: [help] },
    )
  }
}
