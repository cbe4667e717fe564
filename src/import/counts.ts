import type { Counts } from '../bulk/keep/counts.ts'

/** The outcomes of a row. */
export const OUTCOMES = ['created', 'updated', 'skipped', 'failed', 'unknown'] as const

export type ImportCounts = Readonly<Record<'rows' | (typeof OUTCOMES)[number] | 'retries', number>>

export const NO_COUNTS = {
  rows: 0,
  created: 0,
  updated: 0,
  skipped: 0,
  failed: 0,
  unknown: 0,
  retries: 0,
} as const satisfies ImportCounts

export const importCounts = (counts: Counts): ImportCounts => ({
  rows: counts.rows,
  created: counts['created'] ?? 0,
  updated: counts['updated'] ?? 0,
  skipped: counts['skipped'] ?? 0,
  failed: counts.failed,
  unknown: counts.unknown,
  retries: counts.retries,
})

/** The record has the fields of the row. */
export const SUCCESSES: readonly string[] = ['created', 'updated']

/** `3 created, 1 failed`. */
export const countsInWords = (counts: ImportCounts): string =>
  OUTCOMES.flatMap((name) => (counts[name] === 0 ? [] : [`${counts[name]} ${name}`])).join(', ') || 'none'
