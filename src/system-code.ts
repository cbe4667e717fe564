/** The `code` of an error from the system, Node or a library, such as `EACCES`; undefined without one. */
export const systemCode = (error: unknown): string | undefined =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined
