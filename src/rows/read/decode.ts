import { isUtf8 } from 'node:buffer'
import { isSingleByte, latinIn } from './encodings.ts'
import type { EncodingName } from './encodings.ts'
import { skipped } from './input.ts'
import type { Input } from './input.ts'
import { unusableFile } from './unusable-file.ts'

/** Turns the bytes of an encoding into text, chunk by chunk. */
interface Decoder {
  readonly write: (bytes: Buffer) => string
  /** The text of bytes that are no whole character. */
  readonly end: () => string
  /** A pattern of the characters that replace invalid bytes in the text. */
  readonly invalid: RegExp
}

/**
 * The input as UTF-8, with every offset in these bytes. Without `named`, only a byte order mark decides; UTF-8 stays as
 * it is.
 * @throws {UsageError} if the first bytes contradict the encoding
 */
export async function decodeInput(
  input: Input,
  named: EncodingName | undefined,
): Promise<{ readonly input: Input; readonly encoding: EncodingName; readonly hasMark: boolean }> {
  const encoding = encodingIn(input.head, named)
  const hasMark = markIn(input.head) !== undefined
  if (encoding === 'UTF-8') return { input, encoding, hasMark }
  const open = await decoderOf(encoding)
  const head = decodedHead(input.head, open())
  const ratio = head.length / Math.max(1, input.head.length)
  return {
    encoding,
    hasMark,
    input: {
      ...input,
      head,
      textSize: input.textSize === undefined ? undefined : input.textSize * ratio,
      from: (byte) => skipped(decoded(input.from(0), open(), encoding), byte),
      ahead: (byte) => [head.subarray(byte)],
    },
  }
}

const MARKS: readonly (readonly [mark: string, encoding: EncodingName | undefined, name: string])[] = [
  ['efbbbf', 'UTF-8', 'UTF-8'],
  ['fffe0000', undefined, 'UTF-32'],
  ['0000feff', undefined, 'UTF-32'],
  ['fffe', 'UTF-16LE', 'UTF-16LE'],
  ['feff', 'UTF-16BE', 'UTF-16BE'],
]

function markIn(head: Buffer) {
  const start = head.toString('hex', 0, 4)
  return MARKS.find(([mark]) => start.startsWith(mark))
}

function encodingIn(head: Buffer, named: EncodingName | undefined): EncodingName {
  const [, marked, markName] = markIn(head) ?? []
  if (markName !== undefined && marked === undefined)
    throw unusableFile(`The file is ${markName}, which cannot be read`, 'Save the file as UTF-8')
  if (named === undefined) return marked ?? 'UTF-8'
  if (marked !== undefined && marked !== named)
    throw unusableFile(
      `The encoding is given as ${named}, but the byte order mark of the file says ${markName}`,
      `Use --encoding ${marked.toLowerCase()}; if the file cannot be read so, it mixes encodings: export it again`,
    )
  if (isSingleByte(named) && isSurelyUtf8(head)) throw isInUtf8(named)
  return named
}

/** The encoding that the first bytes suggest; undefined for UTF-8, and for one that a byte order mark names. */
export function guessEncoding(head: Buffer): EncodingName | undefined {
  if (markIn(head) !== undefined) return undefined
  const sample = [...head.subarray(0, 1_000)]
  const [even, odd] = [0, 1].map((rest) => sample.filter((byte, at) => byte === 0 && at % 2 === rest).length)
  if ((odd ?? 0) > sample.length / 4) return 'UTF-16LE'
  if ((even ?? 0) > sample.length / 4) return 'UTF-16BE'
  return utf8In(head) === undefined ? latinIn(head) : undefined
}

const isInUtf8 = (named: EncodingName): Error =>
  unusableFile(`The encoding is given as ${named}, but the file is UTF-8`, 'Use --encoding utf-8')

/** Whether the bytes are surely UTF-8: letters beyond ASCII that make valid UTF-8 are no accident. */
const isSurelyUtf8 = (head: Buffer): boolean => utf8In(head)?.some((byte) => byte > 0x7f) === true

/** The bytes before a last character that may be cut; undefined if they aren't UTF-8. */
const utf8In = (head: Buffer): Buffer | undefined =>
  [0, 1, 2, 3]
    .filter((cut) => isStartOfCharacter(head.subarray(head.length - cut)))
    .map((cut) => head.subarray(0, head.length - cut))
    .find((whole) => isUtf8(whole))

const isStartOfCharacter = ([first, ...rest]: Buffer): boolean =>
  first === undefined || (first >= 0xc2 && first <= 0xf4 && rest.every((byte) => byte >= 0x80 && byte < 0xc0))

/**
 * iconv-lite rather than TextDecoder: Node 20.18.3 to 24 decode windows-1252 as Latin-1 (nodejs/node#56542), and builds
 * with a small ICU know few encodings. Loaded only here, because few files need it.
 */
export async function decoderOf(encoding: EncodingName): Promise<() => Decoder> {
  if (encoding === 'UTF-8') return utf8Decoder
  if (encoding === 'UTF-16LE' || encoding === 'UTF-16BE')
    return () => createUtf16Decoder(encoding === 'UTF-16BE')
  const { default: iconv } = await import('iconv-lite')
  return () => {
    const decoder = iconv.getDecoder(codecOf(encoding))
    // It may return half of a character now, and the other half with the next chunk.
    let half = ''
    return {
      write: (bytes) => {
        const text = half + decoder.write(bytes)
        half = /[\uD800-\uDBFF]$/.exec(text)?.[0] ?? ''
        return half === '' ? text : text.slice(0, -1)
      },
      end: () => half + (decoder.end() ?? ''),
      invalid: /\uFFFD/,
    }
  }
}

const codecOf = (encoding: EncodingName): string => (encoding === 'ISO-8859-8-I' ? 'ISO-8859-8' : encoding)

const utf8Decoder = (): Decoder => ({ write: (bytes) => bytes.toString(), end: () => '', invalid: /\uFFFD/ })

/** Turns text into the bytes of an encoding. */
export type Encode = (text: string) => Buffer

/** Makes an encoder. A character that the encoding lacks becomes a question mark. */
export async function encoderOf(encoding: EncodingName): Promise<Encode> {
  if (encoding === 'UTF-8') return (text) => Buffer.from(text)
  if (encoding === 'UTF-16LE') return (text) => Buffer.from(text, 'utf16le')
  if (encoding === 'UTF-16BE') return (text) => Buffer.from(text, 'utf16le').swap16()
  const { default: iconv } = await import('iconv-lite')
  return (text) => iconv.encode(text, codecOf(encoding))
}

function createUtf16Decoder(isBigEndian: boolean): Decoder {
  let rest: Buffer = Buffer.alloc(0)
  return {
    write: (bytes) => {
      const all = Buffer.concat([rest, bytes])
      let end = all.length - (all.length % 2)
      const last = end === 0 ? 0 : (all[end - (isBigEndian ? 2 : 1)] ?? 0)
      // The second half of the last character is in the next chunk.
      if (last >= 0xd8 && last <= 0xdb) end -= 2
      rest = Buffer.from(all.subarray(end))
      const whole = all.subarray(0, end)
      return (isBigEndian ? whole.swap16() : whole).toString('utf16le')
    },
    end: () => (rest.length === 0 ? '' : '\uD800'),
    // Matches half a character only.
    invalid: /\p{Surrogate}/u,
  }
}

const withoutMark = (text: string): string => (text.startsWith('\uFEFF') ? text.slice(1) : text)

/** The text of the first bytes; the last character may be cut. */
export function decodedHead(head: Buffer, decoder: Decoder): Buffer {
  const text = decoder.write(head)
  const invalid = decoder.invalid.exec(text)
  return Buffer.from(withoutMark(invalid === null ? text : text.slice(0, invalid.index)))
}

/** Yields the lines before the first invalid bytes, then throws. */
async function* decoded(
  chunks: AsyncIterable<Uint8Array>,
  decoder: Decoder,
  encoding: EncodingName,
): AsyncGenerator<Uint8Array> {
  let [line, isStart, endsInReturn] = [1, true, false]
  const take = (text: string): { readonly bytes: Buffer; readonly fault: Error | undefined } => {
    const invalid = decoder.invalid.exec(text)
    const valid = invalid === null ? text : text.slice(0, invalid.index)
    const breaks = lineBreaksIn(valid) - (endsInReturn && valid.startsWith('\n') ? 1 : 0)
    line += breaks
    if (valid !== '') endsInReturn = valid.endsWith('\r')
    const kept = invalid === null ? valid : valid.slice(0, valid.lastIndexOf('\n') + 1)
    const bytes = Buffer.from(isStart ? withoutMark(kept) : kept)
    if (text !== '') isStart = false
    return { bytes, fault: invalid === null ? undefined : notValid(encoding, line) }
  }
  let isAscii = isSingleByte(encoding)
  const parts = (async function* () {
    for await (const chunk of chunks) {
      const bytes = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.length)
      // The first letters beyond ASCII tell; the first bytes of the file may have had none.
      if (isAscii && isSurelyUtf8(bytes)) throw isInUtf8(encoding)
      isAscii &&= bytes.every((byte) => byte <= 0x7f)
      yield decoder.write(bytes)
    }
    yield decoder.end()
  })()
  for await (const text of parts) {
    const { bytes, fault } = take(text)
    if (bytes.length > 0) yield bytes
    if (fault !== undefined) throw fault
  }
}

const lineBreaksIn = (text: string): number => text.match(/\r\n|\n|\r/g)?.length ?? 0

const notValid = (encoding: EncodingName, line: number): Error =>
  unusableFile(
    `Line ${line} has bytes that are not ${encoding}`,
    'Name the right encoding with --encoding, or save the file as UTF-8',
  )
