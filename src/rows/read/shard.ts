import { hash } from 'node:crypto'

/** The part of an input that one process handles. Rows with the same ID belong to the same part on every machine. */
export interface Shard {
  /** The number of the part, from 1. */
  readonly part: number
  readonly of: number
}

export const WHOLE: Shard = { part: 1, of: 1 }

export function isInShard(id: string, { part, of }: Shard): boolean {
  return of === 1 || partOf(id, of) === part
}

/** The number of the part, from 1, that a row with this ID belongs to. */
export function partOf(id: string, of: number): number {
  // 48 bits of a hash divide evenly enough into any number of parts.
  return (hash('sha256', id, 'buffer').readUIntBE(0, 6) % of) + 1
}

/** The text by which a row is dealt: its ID, or its number if it has none. */
export const dealtBy = (id: string, row: number): string => (id === '' ? `row ${row}` : id)
