/** `EACCES` and the like, and the codes of Node and of libraries; undefined for what has none. */
export const systemCode = (error: unknown): string | undefined =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined
