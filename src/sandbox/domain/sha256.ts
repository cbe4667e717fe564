import { createHash } from 'node:crypto'

/** Base64url. The store knows client sessions and resume tokens only by their hashes. */
export const sha256 = (text: string): string => createHash('sha256').update(text).digest('base64url')
