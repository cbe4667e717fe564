import { createHash } from 'node:crypto'

/** SHA-256. The store knows client sessions and resume tokens by their hashes alone. */
export const hashOf = (text: string): string => createHash('sha256').update(text).digest('base64url')
