import { withChecksum, withoutChecksum } from './checksum.ts'
import type { Owner } from './owner.ts'
import { parseOwner } from './record-text.ts'
import { isIsoTime } from './record-text.ts'

/** The contents of a takeover file: who took an intent over, and when. */
export interface Takeover {
  readonly owner: Owner
  /** ISO 8601. */
  readonly since: string
}

export const takeoverText = (owner: Owner, now: Date): string =>
  withChecksum(JSON.stringify({ ...owner, since: now.toISOString() }))

/** undefined when damaged: then the owner is unknown. */
export function parseTakeover(text: string): Takeover | undefined {
  const owner = parseOwner(withoutChecksum(text) ?? '')
  if (owner === undefined) return undefined
  const since: unknown = 'since' in owner ? owner.since : undefined
  return isIsoTime(since) ? { owner, since } : undefined
}
