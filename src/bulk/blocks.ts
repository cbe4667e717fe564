import { unusableFile } from './unusable-file.ts'

/** A piece of the input that begins with a record and ends with one. */
export interface Block {
  readonly bytes: Buffer
  /** Of its first byte in the input, decompressed. */
  readonly startByte: number
  /** Of its first line, from 1. */
  readonly startLine: number
}

/** A record longer than this is a quote that was never closed, or no table at all. */
export const LONGEST_RECORD_BYTES = 1024 * 1024

const QUOTE = 0x22
const LINE_FEED = 0x0a

/**
 * Cuts a stream of bytes into blocks of whole records: after a line feed that no quotes are open at. Between blocks the
 * input can be taken up again, knowing nothing but where that is.
 */
export async function* blocksOf(
  chunks: AsyncIterable<Uint8Array>,
  options: { readonly hasQuotes: boolean; readonly startByte: number; readonly startLine: number },
): AsyncGenerator<Block> {
  let { startByte, startLine } = options
  let pending: Buffer = Buffer.alloc(0)
  for await (const chunk of chunks) {
    pending = pending.length === 0 ? Buffer.from(chunk) : Buffer.concat([pending, chunk])
    const end = options.hasQuotes ? lastRecordEnd(pending) : pending.lastIndexOf(LINE_FEED) + 1
    if (end === 0) {
      if (pending.length > LONGEST_RECORD_BYTES) throw tooLong(startLine, options.hasQuotes)
      continue
    }
    const bytes = pending.subarray(0, end)
    yield { bytes, startByte, startLine }
    startByte += end
    startLine += linesIn(bytes)
    pending = pending.subarray(end)
  }
  if (pending.length > 0) yield { bytes: pending, startByte, startLine }
}

/** Behind the last line feed outside quotes; 0 where there is none. A quote in a quoted field is two, and changes nothing. */
function lastRecordEnd(bytes: Buffer): number {
  let end = 0
  let from = 0
  for (;;) {
    const opening = bytes.indexOf(QUOTE, from)
    const until = opening === -1 ? bytes.length : opening
    const feed = until === 0 ? -1 : bytes.lastIndexOf(LINE_FEED, until - 1)
    if (feed >= from) end = feed + 1
    if (opening === -1) return end
    const closing = bytes.indexOf(QUOTE, opening + 1)
    if (closing === -1) return end
    from = closing + 1
  }
}

/** Each record of a block, with its own place: for the one that has to be named. */
export function recordsOf({ bytes, startByte, startLine }: Block, hasQuotes: boolean): readonly Block[] {
  const records: Block[] = []
  let [from, line] = [0, startLine]
  while (from < bytes.length) {
    const rest = bytes.subarray(from)
    const length = hasQuotes ? firstRecordEnd(rest) : rest.indexOf(LINE_FEED) + 1
    const record = length === 0 ? rest : rest.subarray(0, length)
    records.push({ bytes: record, startByte: startByte + from, startLine: line })
    from += record.length
    line += linesIn(record)
  }
  return records
}

function firstRecordEnd(bytes: Buffer): number {
  let isQuoted = false
  for (const [index, byte] of bytes.entries()) {
    if (byte === QUOTE) isQuoted = !isQuoted
    else if (byte === LINE_FEED && !isQuoted) return index + 1
  }
  return 0
}

function linesIn(bytes: Buffer): number {
  let lines = 0
  for (let at = bytes.indexOf(LINE_FEED); at !== -1; at = bytes.indexOf(LINE_FEED, at + 1)) lines += 1
  return lines
}

const tooLong = (line: number, hasQuotes: boolean) =>
  unusableFile(
    `A record that begins in line ${line} is longer than ${LONGEST_RECORD_BYTES / 1024 / 1024} MB`,
    hasQuotes
      ? 'A quote that is never closed swallows everything behind it: look at the quotes there.'
      : undefined,
  )
