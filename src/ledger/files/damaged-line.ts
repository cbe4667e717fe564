import { parseRecord } from './record-text.ts'

/**
 * A damaged line of the history: cut short, or not matching its checksum. Its content can't be trusted, so it blocks every
 * write that it may be about, but not writes that it clearly isn't about.
 */
export interface DamagedLine {
  readonly line: string
  /** The path of its file. */
  readonly path: string
  /** The latest time at which it can have been written, ISO 8601. */
  readonly until: string
}

/** What a damaged line may be about. */
export interface Suspicion {
  /** undefined when any target counts. */
  readonly target?: string | undefined
  readonly idempotencyKey?: string | undefined
  /** Lines written earlier don't count. */
  readonly since: Date
}

/** Whether a line may be the record of a completed write that matches the suspicion. */
export const isSuspect = (
  { line, until }: DamagedLine,
  { target, idempotencyKey, since }: Suspicion,
): boolean =>
  Date.parse(until) >= since.getTime() &&
  // A rejected write blocks nothing.
  !isRefused(line) &&
  (target === undefined || mayBeOn(line, target)) &&
  (idempotencyKey === undefined || mayHaveValue(line, 'idempotencyKey', idempotencyKey))

function isRefused(line: string): boolean {
  const states = valuesOf(line, 'state')
  return states.length > 0 && states.every((state) => state === 'rejected')
}

/** Also true if the target's text is anywhere in the line: the field's name may be damaged. */
const mayBeOn = (line: string, target: string): boolean =>
  line.includes(JSON.stringify(target)) ||
  valuesOf(line, 'target').some((value) => value === null || value === '') ||
  mayHaveValue(line, 'target', target)

/** Whether a field has the value or may have had it before the damage. A clearly different value rules that out. */
export function mayHaveValue(line: string, field: string, wanted: string): boolean {
  const values = valuesOf(line, field)
  const text = JSON.stringify(wanted).slice(1, -1)
  // A torn line is intact as far as it goes.
  const isCut = isTorn(line)
  return (
    values.length === 0 ||
    values.some(
      (value) => value !== null && (value === text || (!isCut && isNear(value, text)) || !isPlain(value)),
    )
  )
}

/** The field's values as written; null for null. Several, because two lines may have become one. */
function valuesOf(line: string, field: string): readonly (string | null)[] {
  const found = line.matchAll(new RegExp(`"${field}":(?:null|"((?:[^"\\\\]|\\\\.)*)")`, 'g'))
  return [...found].map(([, value]) => value ?? null)
}

/** False for zero bytes or noise, which say nothing about the original value. */
const isPlain = (value: string): boolean => /^[ -~]*$/.test(value)

/** Whether two texts differ in at most a quarter of their characters, or two if that is more. */
function isNear(one: string, other: string): boolean {
  const length = Math.max(one.length, other.length)
  let differing = 0
  for (let at = 0; at < length; at += 1) if (one[at] !== other[at]) differing += 1
  return differing <= Math.max(2, length / 4)
}

/** The id at the start of the line. */
export const idIn = (line: string): string | undefined => /^\{"id":"([\w-]+)"/.exec(line)?.[1]

/** The id of each record in the line; undefined for one that was cut short within its id. */
export const idsIn = (line: string): readonly (string | undefined)[] => line.split(/(?=\{"id":")/).map(idIn)

const START = '{"id":"'
const BEFORE_SUM = ',"checksum":"'

/**
 * Whether the line was cut short, as by a power cut or a full disk: then its record is still open, or nothing was done.
 * Some file systems leave zeros in place of lost data.
 */
export function isTorn(line: string): boolean {
  const left = line.replace(/(?<!\0)\0+$/, '')
  if (!left.startsWith(START)) return START.startsWith(left)
  // Another record follows in the same line, whole or also cut short.
  const next = left.lastIndexOf(START)
  if (next > 0) {
    const last = left.slice(next)
    return isTorn(left.slice(0, next)) && (parseRecord(last) !== undefined || isTorn(last))
  }
  const at = left.indexOf(BEFORE_SUM)
  return at === -1 ? !left.endsWith('"}') : /^[\da-f]{0,32}"?$/.test(left.slice(at + BEFORE_SUM.length))
}
