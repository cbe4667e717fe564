import { isAscii } from 'node:buffer'

/** The length of the first part; enough for most searches. Each further part is four times as long as the one before. */
const FIRST_BYTES = 16 * 1024
/** Limits the memory that reading a long file takes. Node keeps texts above about 1 MB outside the heap, and frees them late. */
const MAX_BYTES = 256 * 1024

const LINE_FEED = 0x0a

/** Reads a file of this size from its end, in parts of whole lines. `read` fills the bytes from a position on. */
export function* partsBackwards(
  size: number,
  read: (bytes: Uint8Array, at: number) => void,
): Generator<string, void, undefined> {
  let buffer = Buffer.alloc(0)
  /** The first bytes of the buffer end a line whose beginning is still to be read. */
  let rest = 0
  let length = FIRST_BYTES
  for (let end = size; end > 0; length = Math.min(length * 4, MAX_BYTES)) {
    const start = Math.max(0, end - length)
    const bytes = end - start
    const isTooShort = buffer.length < bytes + rest
    const target = isTooShort ? Buffer.alloc(bytes + rest) : buffer
    buffer.copy(target, bytes, 0, rest)
    buffer = target
    read(buffer.subarray(0, bytes), start)
    end = start
    const joined = buffer.subarray(0, bytes + rest)
    // The first line is incomplete, unless it is the file's first.
    const whole = start === 0 ? 0 : joined.indexOf(LINE_FEED) + 1
    const isWhole = start === 0 || whole > 0
    rest = isWhole ? whole : joined.length
    if (isWhole) yield textOf(joined.subarray(whole))
  }
}

/** Nearly every history is ASCII. As latin1, it decodes in half the time and takes one byte per character to search. */
const textOf = (bytes: Buffer): string => bytes.toString(isAscii(bytes) ? 'latin1' : 'utf8')
