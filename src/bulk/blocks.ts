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
const CARRIAGE_RETURN = 0x0d

/** How far records have been followed through some bytes. */
interface Reading {
  at: number
  line: number
  isQuoted: boolean
}

/**
 * Goes on to the end of the next record: a line feed, a carriage return or both, that no quotes are open at. A quote in
 * quotes is two, and changes nothing. False where these bytes do not tell: a line feed may follow the last one.
 */
function passRecord(bytes: Buffer, reading: Reading, hasQuotes: boolean): boolean {
  let { at, line, isQuoted } = reading
  let hasEnded = false
  while (at < bytes.length && !hasEnded) {
    const byte = bytes[at]
    if (byte === CARRIAGE_RETURN && at + 1 === bytes.length) break
    at += 1
    if (byte === QUOTE) isQuoted = hasQuotes && !isQuoted
    else if (byte === LINE_FEED || (byte === CARRIAGE_RETURN && bytes[at] !== LINE_FEED)) {
      line += 1
      hasEnded = !isQuoted
    }
  }
  reading.at = at
  reading.line = line
  reading.isQuoted = isQuoted
  return hasEnded
}

/**
 * Cuts a stream of bytes into blocks of whole records. Between blocks the input can be taken up again, knowing nothing
 * but where that is.
 */
export async function* blocksOf(
  chunks: AsyncIterable<Uint8Array>,
  options: { readonly hasQuotes: boolean; readonly startByte: number; readonly startLine: number },
): AsyncGenerator<Block> {
  const { hasQuotes } = options
  let { startByte, startLine } = options
  let pending: Buffer = Buffer.alloc(0)
  const reading: Reading = { at: 0, line: startLine, isQuoted: false }
  for await (const chunk of chunks) {
    pending = pending.length === 0 ? bufferOf(chunk) : Buffer.concat([pending, chunk])
    let [end, line] = [0, startLine]
    while (passRecord(pending, reading, hasQuotes) && reading.at - end <= LONGEST_RECORD_BYTES) {
      end = reading.at
      line = reading.line
    }
    if (end > 0) {
      yield { bytes: pending.subarray(0, end), startByte, startLine }
      startByte += end
      startLine = line
      pending = pending.subarray(end)
      reading.at -= end
    }
    if (reading.at > LONGEST_RECORD_BYTES) throw tooLong(startLine, pending, hasQuotes)
  }
  if (pending.length > LONGEST_RECORD_BYTES) throw tooLong(startLine, pending, hasQuotes)
  if (pending.length > 0) yield { bytes: pending, startByte, startLine }
}

const bufferOf = (bytes: Uint8Array): Buffer => Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length)

/** Each record of a block, with its own place: for the one that has to be named. */
export function recordsOf(block: Block, hasQuotes: boolean): readonly Block[] {
  const { bytes, startByte, startLine } = block
  const records: Block[] = []
  const reading: Reading = { at: 0, line: startLine, isQuoted: false }
  while (reading.at < bytes.length) {
    const { at, line } = reading
    if (!passRecord(bytes, reading, hasQuotes)) reading.at = bytes.length
    records.push({ bytes: bytes.subarray(at, reading.at), startByte: startByte + at, startLine: line })
  }
  return records
}

/** Where a record begins. */
export interface Place {
  readonly byte: number
  readonly line: number
}

/**
 * The record that begins there in the first bytes of an input, and where the next one begins; undefined where there is none.
 * @throws {UsageError} where it does not end in these bytes, and they are not all of the input
 */
export function recordAt(
  head: Buffer,
  { byte, line }: Place,
  hasQuotes: boolean,
): { readonly record: Block; readonly next: Place } | undefined {
  if (byte >= head.length) return undefined
  const reading: Reading = { at: byte, line, isQuoted: false }
  const hasEnded = passRecord(head, reading, hasQuotes)
  if (!hasEnded && head.length >= LONGEST_RECORD_BYTES) throw tooLong(line, head, hasQuotes)
  const end = hasEnded ? reading.at : head.length
  return {
    record: { bytes: head.subarray(byte, end), startByte: byte, startLine: line },
    next: { byte: end, line: reading.line },
  }
}

/** Whether so many records end in these first bytes of a table. */
export function holdsRecords(head: Buffer, records: number): boolean {
  const reading: Reading = { at: 0, line: 1, isQuoted: false }
  let passed = 0
  while (passed < records && passRecord(head, reading, true)) passed += 1
  return passed === records
}

/** Nothing but its line break: such a record is no row. */
export const isBlank = ({ bytes }: Block): boolean =>
  bytes.length <= 2 && bytes.every((byte) => byte === LINE_FEED || byte === CARRIAGE_RETURN)

const tooLong = (line: number, bytes: Buffer, hasQuotes: boolean) =>
  unusableFile(
    `The record that starts in line ${line} is longer than ${LONGEST_RECORD_BYTES / 1024 / 1024} MB`,
    hasQuotes && bytes.includes(QUOTE)
      ? 'An unclosed quote takes in everything after it: check the quotes there.'
      : 'Is this a text file with one record per line?',
  )
