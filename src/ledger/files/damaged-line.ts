import { parseRecord } from './record-text.ts'

/**
 * A line of the history that is damaged: it was cut short, or does not match its checksum. Nothing in it can be trusted,
 * but what is plainly another write's is no reason to stop this one.
 */
export interface DamagedLine {
  readonly line: string
  /** Of its file. */
  readonly path: string
  /** When it was written at the latest, ISO 8601. */
  readonly until: string
}

/** What a damaged line may be about. */
export interface Suspicion {
  /** undefined where any target counts. */
  readonly target?: string | undefined
  readonly idempotencyKey?: string | undefined
  /** Written earlier, it does not matter. */
  readonly since: Date
}

/** Whether a line may be of a write that was done, and of the kind that is asked for. */
export const isSuspect = (
  { line, until }: DamagedLine,
  { target, idempotencyKey, since }: Suspicion,
): boolean =>
  Date.parse(until) >= since.getTime() &&
  // A write that was refused blocks nothing.
  !isRefused(line) &&
  (target === undefined || mayBeOn(line, target)) &&
  (idempotencyKey === undefined || mayHold(line, 'idempotencyKey', idempotencyKey))

function isRefused(line: string): boolean {
  const states = valuesOf(line, 'state')
  return states.length > 0 && states.every((state) => state === 'rejected')
}

/** Its target may be lost, and still stand elsewhere in the line. */
const mayBeOn = (line: string, target: string): boolean =>
  line.includes(JSON.stringify(target)) ||
  valuesOf(line, 'target').some((value) => value === null || value === '') ||
  mayHold(line, 'target', target)

/** Whether a field has, or may have had, that value. What reads as quite another one is another one's. */
export function mayHold(line: string, field: string, wanted: string): boolean {
  const values = valuesOf(line, field)
  const text = JSON.stringify(wanted).slice(1, -1)
  // What was only cut short is, as far as it goes, as it was written.
  const isCut = isTorn(line)
  return (
    values.length === 0 ||
    values.some(
      (value) => value !== null && (value === text || (!isCut && isNear(value, text)) || !isPlain(value)),
    )
  )
}

/** As they are written; null for null. Two lines may have become one. */
function valuesOf(line: string, field: string): readonly (string | null)[] {
  const found = line.matchAll(new RegExp(`"${field}":(?:null|"((?:[^"\\\\]|\\\\.)*)")`, 'g'))
  return [...found].map(([, value]) => value ?? null)
}

/** Zeros or noise in place of a value say nothing of what it was. */
const isPlain = (value: string): boolean => /^[ -~]*$/.test(value)

/** A quarter of the characters may be damaged; of short texts, two. */
function isNear(one: string, other: string): boolean {
  const length = Math.max(one.length, other.length)
  let differing = 0
  for (let at = 0; at < length; at += 1) if (one[at] !== other[at]) differing += 1
  return differing <= Math.max(2, length / 4)
}

/** The id that it begins with. */
export const idIn = (line: string): string | undefined => /^\{"id":"([\w-]+)"/.exec(line)?.[1]

/** The id of each record that was written into the line; undefined where it was cut short before its end. */
export const idsIn = (line: string): readonly (string | undefined)[] => line.split(/(?=\{"id":")/).map(idIn)

const START = '{"id":"'
const BEFORE_SUM = ',"checksum":"'

/**
 * Whether it was cut short, as by a power cut or a full disk: then its record is still open, or nothing was done. Some
 * file systems leave zeros in place of what was lost.
 */
export function isTorn(line: string): boolean {
  const left = line.replace(/\0+$/, '')
  if (!left.startsWith(START)) return START.startsWith(left)
  // Another one follows in the same line, whole or cut short as well.
  const next = left.lastIndexOf(START)
  if (next > 0) {
    const last = left.slice(next)
    return isTorn(left.slice(0, next)) && (parseRecord(last) !== undefined || isTorn(last))
  }
  const at = left.indexOf(BEFORE_SUM)
  return at === -1 ? !left.endsWith('"}') : /^[\da-f]{0,32}"?$/.test(left.slice(at + BEFORE_SUM.length))
}
