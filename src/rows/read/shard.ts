import { hash } from 'node:crypto'

/** The part of an input that one process handles. Rows with the same ID belong to the same part on every machine. */
export interface Shard {
  /** The number of the part, from 1. */
  readonly part: number
  readonly of: number
}

export const WHOLE: Shard = { part: 1, of: 1 }

export function isInShard(id: string, { part, of }: Shard): boolean {
  if (of === 1) return true
  // 48 bits of a hash divide evenly enough into any number of parts.
  const number = hash('sha256', id, 'buffer').readUIntBE(0, 6)
  return number % of === part - 1
}
