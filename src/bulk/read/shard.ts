import { hash } from 'node:crypto'

/** Which part of a file a process takes: rows of one paymentId are always in the same part, on every machine. */
export interface Shard {
  /** From 1. */
  readonly part: number
  readonly of: number
}

export const WHOLE: Shard = { part: 1, of: 1 }

export function isInShard(paymentId: string, { part, of }: Shard): boolean {
  if (of === 1) return true
  // The first 48 bits of a hash: any number of parts comes out even.
  const number = hash('sha256', paymentId, 'buffer').readUIntBE(0, 6)
  return number % of === part - 1
}
