import { MAX_BODY_BYTES } from './answer-body.ts'
import { tooLarge } from './failure.ts'
import type { WireAnswer } from './transport-port.ts'

/** As undici and Node's own client have it. */
const MAX_HEAD_BYTES = 16 * 1024
/** Of pieces that are put together: each takes a hundred bytes of memory beside its own, and may be one byte. */
const BLOCK_BYTES = 64 * 1024

const STATUS_LINE = /HTTP\/1\.([01]) (\d{3})(?: [^\r\n\0]*)?\r\n/y
/** A name is a token, a value has no control character in it but tabs (RFC 9110, 5.5 and 5.6.2); nothing is folded. */
const NAME = /^[!#$%&'*+.^_`|~\w-]+$/
// oxlint-disable-next-line no-control-regex -- they are what it looks for
const NOT_IN_VALUE = /[\0-\x08\n-\x1f\x7f]/
const END_OF_HEAD = '\r\n\r\n'
/** What is said of a chunk beside its size is of no use here; quoted texts nobody sends. */
const CHUNK_SIZE = /^0*([\da-f]{1,8})(?:;[!#$%&'*+.^_`|~\w-]+(?:=[!#$%&'*+.^_`|~\w-]+)?)*$/i

/** How the end of a body is known. */
type Framing =
  | { readonly kind: 'length'; left: number }
  | { readonly kind: 'chunked'; left: number }
  | { readonly kind: 'close' }

type State = 'head' | 'body' | 'chunk-size' | 'chunk-end' | 'trailers' | 'done'

/** What says where an answer ends comes before it (RFC 9110, 6.5.1). */
const IN_HEAD_ONLY = /^(?:content-length|transfer-encoding):/i

const NOTHING: Buffer = Buffer.alloc(0)

/**
 * Reads answers off one connection, one after the other: HTTP/1.1, strictly (RFC 9112). Whatever could be understood in
 * two ways is refused, since an answer is only told of where it is certain that all of it has come.
 */
export class AnswerReader {
  status = 0
  headers: WireAnswer['headers'] = {}
  /** Whether another request may follow on the connection. */
  isReusable = false
  /** Whether the answer itself tells where it ends. */
  isFramed = true
  #state: State = 'done'
  #isHead = false
  #framing: Framing = { kind: 'length', left: 0 }
  /** Begun and not understood yet: a part of a head, or of a line between chunks. */
  #pending: Buffer = NOTHING
  #pieces: Buffer[] = []
  #pieceBytes = 0
  /** What came before the pieces. */
  #blocks: Buffer[] = []
  #bytes = 0
  #trailerBytes = 0

  get isDone(): boolean {
    return this.#state === 'done'
  }

  /** The next answer belongs to a request with this method. */
  begin(method: string): void {
    this.#state = 'head'
    this.#isHead = method === 'HEAD'
    this.#pending = NOTHING
    this.#pieces = []
    this.#pieceBytes = 0
    this.#blocks = []
    this.#bytes = 0
    this.#trailerBytes = 0
  }

  /** Where it came at once it stands in the memory of `take`: until that is used again. */
  body(): Buffer {
    const [first = NOTHING] = this.#pieces
    if (this.#bytes === first.length) return first
    return Buffer.concat([...this.#blocks, ...this.#pieces], this.#bytes)
  }

  /**
   * Answers whether the answer is complete. What comes behind it makes the connection useless. The bytes may be others as
   * soon as this returns: what is kept is copied.
   * @throws where this is no answer
   */
  take(bytes: Buffer): boolean {
    let rest: Buffer = this.#pending.length === 0 ? bytes : Buffer.concat([this.#pending, bytes])
    this.#pending = NOTHING
    for (;;) {
      const before = this.#state
      const taken = this.#step(rest)
      rest = taken === rest.length ? NOTHING : rest.subarray(taken)
      if (this.isDone) {
        // The answer is complete by what it said itself, whatever that is behind it.
        if (rest.length > 0) this.isReusable = false
        return true
      }
      if (taken === 0 && before === this.#state) break
    }
    this.#pending = Buffer.from(rest)
    return false
  }

  /** The connection has ended. Answers whether that completes the answer. */
  end(): boolean {
    return this.#state === 'body' && this.#framing.kind === 'close'
  }

  /** Goes on in one state; answers how many bytes are understood. */
  #step(bytes: Buffer): number {
    switch (this.#state) {
      case 'head':
        return this.#readHead(bytes)
      case 'body':
        return this.#readBody(bytes)
      case 'chunk-size':
        return this.#readChunkSize(bytes)
      case 'chunk-end':
        return this.#readChunkEnd(bytes)
      case 'trailers':
        return this.#readTrailer(bytes)
      case 'done':
        return 0
    }
  }

  #readHead(bytes: Buffer): number {
    // What is not HTTP may never come to an end of its head.
    if (!isBeginOfHead(bytes)) throw broken('this is no HTTP/1')
    const text = bytes.toString('latin1', 0, MAX_HEAD_BYTES)
    const end = text.indexOf(END_OF_HEAD)
    if (end === -1) {
      if (bytes.length >= MAX_HEAD_BYTES) throw longHead()
      // A line that ends otherwise never becomes a head: nobody needs to wait for its end.
      if (/(?<!\r)\n/.test(text)) throw broken('the end of a line')
      return 0
    }
    const isHttp11 = this.#readFields(text.slice(0, end + 2))
    const { status, headers } = this
    if (status === 101 || status < 100 || (status < 200 && !isHttp11)) throw broken(`the status ${status}`)
    // 1xx announce the answer, they are not it.
    if (status >= 200) this.#frame(isHttp11, headers)
    return end + END_OF_HEAD.length
  }

  /** Answers whether it is HTTP/1.1. */
  #readFields(head: string): boolean {
    STATUS_LINE.lastIndex = 0
    const [, version, status] = STATUS_LINE.exec(head) ?? []
    if (status === undefined) throw broken('the status line')
    this.status = Number(status)
    const headers: Record<string, string> = {}
    let at = STATUS_LINE.lastIndex
    while (at < head.length) {
      const end = head.indexOf('\r\n', at)
      const field = fieldOf(head.slice(at, end))
      if (field === undefined) throw broken('a header')
      at = end + 2
      const { name, value } = field
      const before = headers[name]
      if (name !== '__proto__') headers[name] = before === undefined ? value : `${before}, ${value}`
    }
    this.headers = headers
    return version === '1'
  }

  #frame(isHttp11: boolean, headers: WireAnswer['headers']): void {
    const length = headers['content-length']
    const coding = headers['transfer-encoding']
    const isBodiless = this.#isHead || this.status === 204 || this.status === 304
    this.isFramed = isBodiless || length !== undefined || coding !== undefined
    this.isReusable = isHttp11 && this.isFramed && !/\bclose\b/i.test(headers['connection'] ?? '')
    // Two lengths, or a coding that we do not undo: nobody knows where it ends.
    if (length !== undefined && (coding !== undefined || !/^\d{1,15}$/.test(length)))
      throw broken('its length')
    if (coding !== undefined && (!isHttp11 || coding.toLowerCase() !== 'chunked')) throw broken('its coding')
    if (isBodiless) this.#state = 'done'
    else if (coding !== undefined) {
      this.#framing = { kind: 'chunked', left: 0 }
      this.#state = 'chunk-size'
    } else if (length === undefined) {
      this.#framing = { kind: 'close' }
      this.#state = 'body'
    } else {
      if (Number(length) > MAX_BODY_BYTES) throw tooLarge(MAX_BODY_BYTES)
      this.#framing = { kind: 'length', left: Number(length) }
      this.#state = Number(length) === 0 ? 'done' : 'body'
    }
  }

  #readBody(bytes: Buffer): number {
    const framing = this.#framing
    const taken = framing.kind === 'close' ? bytes.length : Math.min(framing.left, bytes.length)
    this.#bytes += taken
    const isWhole = framing.kind === 'length' && framing.left === taken
    if (taken > 0) this.#keep(isWhole ? bytes.subarray(0, taken) : Buffer.from(bytes.subarray(0, taken)))
    if (this.#bytes > MAX_BODY_BYTES) throw tooLarge(MAX_BODY_BYTES)
    if (framing.kind === 'close') return taken
    framing.left -= taken
    if (framing.left === 0) this.#state = framing.kind === 'chunked' ? 'chunk-end' : 'done'
    return taken
  }

  #keep(piece: Buffer): void {
    this.#pieces.push(piece)
    this.#pieceBytes += piece.length
    if (this.#pieces.length === 1 || this.#pieceBytes < BLOCK_BYTES) return
    this.#blocks.push(Buffer.concat(this.#pieces, this.#pieceBytes))
    this.#pieces = []
    this.#pieceBytes = 0
  }

  #readChunkSize(bytes: Buffer): number {
    const line = this.#lineOf(bytes)
    if (line === undefined) return 0
    const [, size] = CHUNK_SIZE.exec(line) ?? []
    if (size === undefined) throw broken('the size of a chunk')
    const left = Number.parseInt(size, 16)
    if (this.#bytes + left > MAX_BODY_BYTES) throw tooLarge(MAX_BODY_BYTES)
    this.#framing = { kind: 'chunked', left }
    this.#state = left === 0 ? 'trailers' : 'body'
    return line.length + 2
  }

  #readChunkEnd(bytes: Buffer): number {
    if (bytes.length < 2) return 0
    if (bytes[0] !== CARRIAGE_RETURN || bytes[1] !== LINE_FEED) throw broken('the end of a chunk')
    this.#state = 'chunk-size'
    return 2
  }

  /** What they say is of no use here. */
  #readTrailer(bytes: Buffer): number {
    const line = this.#lineOf(bytes)
    if (line === undefined) return 0
    this.#trailerBytes += line.length + 2
    if (this.#trailerBytes > MAX_HEAD_BYTES) throw longHead()
    if (line === '') this.#state = 'done'
    else if (fieldOf(line) === undefined || IN_HEAD_ONLY.test(line)) throw broken('a trailer')
    return line.length + 2
  }

  /** Without its line break; undefined where that has not come yet. */
  #lineOf(bytes: Buffer): string | undefined {
    const end = bytes.indexOf('\r\n')
    if (end > MAX_HEAD_BYTES || (end === -1 && bytes.length > MAX_HEAD_BYTES)) throw longHead()
    return end === -1 ? undefined : bytes.toString('latin1', 0, end)
  }
}

/**
 * Undefined where the line is no field. A pattern for the whole line would try each way to share out the spaces in it:
 * minutes, where there are thousands.
 */
function fieldOf(line: string): { readonly name: string; readonly value: string } | undefined {
  const colon = line.indexOf(':')
  const name = line.slice(0, Math.max(colon, 0))
  if (!NAME.test(name) || NOT_IN_VALUE.test(line)) return undefined
  let [from, to] = [colon + 1, line.length]
  while (from < to && isSpace(line.charCodeAt(from))) from += 1
  while (from < to && isSpace(line.charCodeAt(to - 1))) to -= 1
  return { name: name.toLowerCase(), value: line.slice(from, to) }
}

/** Nothing else is left out around a value: `trim` would take more (RFC 9110, 5.6.3). */
const isSpace = (sign: number): boolean => sign === SPACE || sign === TAB

const isBeginOfHead = (bytes: Buffer): boolean => 'HTTP/1.'.startsWith(bytes.toString('latin1', 0, 7))

const SPACE = 0x20
const TAB = 0x09
const CARRIAGE_RETURN = 0x0d
const LINE_FEED = 0x0a

/** Told as Node's own parser would tell it: `answerFailure` knows these codes. */
const broken = (what: string): Error =>
  Object.assign(new Error(`${what} cannot be read`), { code: 'HPE_INVALID_ANSWER' })
const longHead = (): Error => Object.assign(new Error('too long'), { code: 'HPE_HEADER_OVERFLOW' })
