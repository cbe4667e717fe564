import { lazySchema, z } from '../../api/schema.ts'
import type { RowOutcome } from '../row-outcome.ts'
import { START_OVER, inputDigest } from './checkpoint.ts'
import type { InputDigest } from './input-hash.ts'
import { runDamaged } from './run-damaged.ts'

/** Notes rows as sent in batches; a write for each row would cost too much. */
export const SENT_BATCH = 32

/** `out`: this row and the {@link SENT_BATCH} after it may have been sent. */
export type Line =
  | readonly ['out', row: number, end: number]
  | readonly ['doubt', row: number, end: number]
  | readonly ['seen', InputDigest]
  | readonly ['row', row: number, end: number, RowOutcome]

/** What the lines say. Each is about a row that ends in one place, and has one outcome. */
export function contentOf(
  lines: readonly Line[],
  {
    path,
    afterRow,
    outcomes,
  }: { readonly path: string; readonly afterRow: number; readonly outcomes: readonly string[] },
) {
  const answered = new Map<number, RowOutcome>()
  const doubts = new Map<number, number>()
  const ends = new Map<number, number>()
  const ended = new Set<number>()
  const digests: InputDigest[] = []
  let out: Extract<Line, readonly ['out', number, number]> | undefined
  for (const [index, line] of lines.entries()) {
    const damaged = () => runDamaged(path, `contradicts itself on line ${index + 1}`, START_OVER)
    if (line[0] === 'seen') {
      if (line[1].bytes < (digests.at(-1)?.bytes ?? 0)) throw damaged()
      digests.push(line[1])
      continue
    }
    const [kind, row, end] = line
    if ((ends.get(row) ?? end) !== end) throw damaged()
    ends.set(row, end)
    if (kind === 'out') {
      if (row <= (out?.[1] ?? 0)) throw damaged()
      out = line
    } else if (kind === 'row') {
      if (ended.has(row) || !outcomes.includes(line[3].outcome)) throw damaged()
      ended.add(row)
      if (row > afterRow) answered.set(row, line[3])
    } else if (row > afterRow) doubts.set(row, end)
  }
  return { answered, doubts, ends, digests, out }
}

export function textOf(line: Line): string {
  // Fast path for nearly every line; the text is what JSON.stringify would write.
  if (line[0] === 'row' && isPlain(line[3]))
    return `["row",${line[1]},${line[2]},{"outcome":"${line[3].outcome}","retries":0}]\n`
  return `${JSON.stringify(line)}\n`
}

const isPlain = ({ errorId, message, retries }: RowOutcome): boolean =>
  retries === 0 && errorId === undefined && message === undefined

/**
 * The lines, and whether a crash has cut any. A kill may cut the last one short. A power cut may turn what was not synced
 * into NUL bytes: then the lines about rows that may not have been read (after `readTo`) are dropped as well.
 */
export function linesOf(
  text: string,
  { path, readTo }: { readonly path: string; readonly readTo: number },
): { readonly lines: readonly Line[]; readonly isCut: boolean } {
  const whole = text.split('\n')
  const rest = whole.pop() ?? ''
  const lines = whole.flatMap((line, index) => {
    const hole = line.lastIndexOf('\0')
    const parsed = parse(line.slice(hole + 1))
    if (isLine(parsed)) return [parsed]
    if (hole === -1) throw runDamaged(path, `has an unknown line ${index + 1}`, START_OVER)
    return []
  })
  if (!text.includes('\0')) return { lines, isCut: rest !== '' }
  const read = Math.max(readTo, ...lines.map((line) => (line[0] === 'seen' ? line[1].bytes : 0)))
  return { lines: lines.filter((line) => line[0] === 'seen' || line[2] <= read), isCut: true }
}

function parse(line: string): unknown {
  try {
    return JSON.parse(line)
  } catch {
    return undefined
  }
}

const position = () => z.int().check(z.minimum(0))

const journalLine = lazySchema(() =>
  z.union([
    z.tuple([z.enum(['out', 'doubt']), position(), position()]),
    z.tuple([z.literal('seen'), inputDigest()]),
    z.tuple([
      z.literal('row'),
      position(),
      position(),
      z.strictObject({
        outcome: z.string(),
        errorId: z.optional(z.string()),
        message: z.optional(z.string()),
        retries: position(),
      }),
    ]),
  ]),
)

const isLine = (value: unknown): value is Line => journalLine().safeParse(value).success
