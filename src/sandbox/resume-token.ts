import { createHash } from 'node:crypto'

/** The store knows a resume token by its hash alone. */
export const hashResumeToken = (token: string): string =>
  createHash('sha256').update(token).digest('base64url')
