import { sealed, unsealed } from './checksum.ts'
import type { Owner } from './owner.ts'
import { parseOwner } from './record-text.ts'
import { isMoment } from './record-text.ts'

/** What is in the file of a generation: who took an intent over, and when. */
export interface Takeover {
  readonly owner: Owner
  /** ISO 8601. */
  readonly since: string
}

export const takeoverText = (owner: Owner, now: Date): string =>
  sealed(JSON.stringify({ ...owner, since: now.toISOString() }))

/** undefined for what was not written so: who is at work on it is not known. */
export function parseTakeover(text: string): Takeover | undefined {
  const owner = parseOwner(unsealed(text) ?? '')
  if (owner === undefined) return undefined
  const since: unknown = 'since' in owner ? owner.since : undefined
  return isMoment(since) ? { owner, since } : undefined
}
