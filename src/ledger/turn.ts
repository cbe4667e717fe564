import type { Owner } from './owner.ts'
import { parseOwner, isMoment } from './record.ts'

/** What is in the file of a turn: who took an intent over, and when. */
export interface Turn {
  /** undefined where a power cut has taken the words: then it is nobody's. */
  readonly owner: Owner | undefined
  /** ISO 8601. */
  readonly since: string | undefined
}

export const turnText = (owner: Owner, now: Date): string =>
  JSON.stringify({ ...owner, since: now.toISOString() })

export function parseTurn(text: string): Turn {
  const owner = parseOwner(text)
  if (owner === undefined) return { owner, since: undefined }
  const since: unknown = 'since' in owner ? owner.since : undefined
  return { owner, since: isMoment(since) ? since : undefined }
}
