/** The `code` of an error from the system, Node or a library, such as `EACCES`; undefined without one. */
export const systemCode = (error: unknown): string | undefined =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined

/** The result of the work, or the fallback if it fails with this code. */
export function fallbackOn<Result, Fallback>(
  code: string,
  fallback: Fallback,
  work: () => Result,
): Result | Fallback {
  try {
    return work()
  } catch (error) {
    if (systemCode(error) === code) return fallback
    throw error
  }
}
