import { MAX_BODY_BYTES } from './limits.ts'
import {
  certificateDemand,
  responseFailure,
  invalidResponse,
  connectFailure,
  timeoutFailure,
  tooLarge,
} from './failure.ts'
import { TransportFailure } from './transport-port.ts'
import type { SendOptions, HttpResponse, HttpRequest } from './transport-port.ts'

type Headers = HttpResponse['headers']
type RawHeaders = Readonly<Record<string, string | readonly string[] | undefined>>

interface RequestController {
  abort(reason: Error): void
}

/** The events of one request; a subset of undici's `DispatchHandler`. */
export interface ResponseHandler {
  onRequestStart(controller: RequestController): void
  onResponseStart(controller: unknown, status: number, headers: RawHeaders): void
  onResponseData(controller: unknown, chunk: Buffer): void
  onResponseEnd(): void
  onResponseError(controller: unknown, error: Error): void
}

interface Callbacks {
  readonly resolve: (response: HttpResponse) => void
  readonly reject: (failure: TransportFailure) => void
  /** Called once, when the request settles. */
  readonly onSettled: (pending: PendingRequest) => void
}

/**
 * One request until its complete response, whichever client carries it. The first terminal event counts.
 *
 * The client calls `onRequestStart` just before it writes to the socket, in the same event-loop turn, and aborting there
 * prevents the write. So a request that never started was never written, not even in part: that is what `sent: false` means.
 */
export class PendingRequest implements ResponseHandler {
  readonly request: HttpRequest
  readonly options: SendOptions
  readonly deadlineMs: number
  /** The index among the requests in flight. */
  place = -1
  readonly #callbacks: Callbacks
  #started: RequestController | undefined
  #isSettled = false
  #head: Omit<HttpResponse, 'body'> | undefined
  readonly #chunks: Buffer[] = []
  #bytes = 0

  constructor(
    { request, options, deadlineMs }: Pick<PendingRequest, 'request' | 'options' | 'deadlineMs'>,
    callbacks: Callbacks,
  ) {
    this.request = request
    this.options = options
    this.deadlineMs = deadlineMs
    this.#callbacks = callbacks
  }

  get isSettled(): boolean {
    return this.#isSettled
  }

  get isSent(): boolean {
    return this.#started !== undefined
  }

  abort(): void {
    this.#fail(new TransportFailure('aborted', this.isSent, 'it was aborted'))
  }

  timeOut(): void {
    this.#fail(timeoutFailure(this.options.timeoutMs, this.isSent))
  }

  /** Fails with the client's error; passes on a {@link TransportFailure} unchanged. */
  fail(error: unknown): void {
    if (error instanceof TransportFailure) this.#fail(error)
    else if (this.isSent) this.#failAfterSending(error)
    else this.#fail(connectFailure(error, new URL(this.request.url).host))
  }

  #failAfterSending(error: unknown): void {
    // Once there is a response, the handshake is long over.
    const demand =
      this.#head === undefined ? certificateDemand(error, new URL(this.request.url).host) : undefined
    if (demand === undefined) this.#fail(responseFailure(error))
    else this.#fail(demand, { isProven: true })
  }

  onRequestStart(controller: RequestController): void {
    // It was aborted while it waited for a connection, or is about to be written a second time.
    if (this.#isSettled || this.isSent) controller.abort(new Error('must not be written'))
    else this.#started = controller
  }

  onResponseStart(_: unknown, status: number, headers: RawHeaders): void {
    // 101 ends HTTP on the connection. Other 1xx responses only announce the final one.
    if (status === 101 || status < 100) this.fail(invalidResponse(`the status ${status}`))
    if (status < 200 || this.#isSettled) return
    const isBodiless = this.request.method === 'HEAD' || status === 204 || status === 304
    const head = joinRepeatedHeaders(headers)
    const length = head['content-length']
    // RFC 9112, 6.3: how the end of a body is determined.
    const isFramed = isBodiless || length !== undefined || head['transfer-encoding'] !== undefined
    this.#head = isFramed ? { status, headers: head } : { status, headers: head, isUnframed: true }
    // A body where none is allowed: one client ignores it, the other treats it as an error.
    if (isBodiless && this.request.method !== 'HEAD' && Number(length ?? 0) !== 0)
      this.fail(invalidResponse(`a body with the status ${status}`))
    else if (!isBodiless && Number(length) > MAX_BODY_BYTES) this.#fail(tooLarge(MAX_BODY_BYTES))
  }

  onResponseData(_: unknown, chunk: Buffer): void {
    this.#bytes += chunk.length
    if (this.#bytes > MAX_BODY_BYTES) this.#fail(tooLarge(MAX_BODY_BYTES))
    else if (!this.#isSettled) this.#chunks.push(chunk)
  }

  onResponseEnd(): void {
    const head = this.#head
    if (head === undefined) return this.fail(invalidResponse('an end without a start'))
    const [first] = this.#chunks
    const bytes = first?.length === this.#bytes ? first : Buffer.concat(this.#chunks, this.#bytes)
    if (head.headers['content-encoding'] === undefined) this.#end({ ...head, body: bytes.toString() })
    else void this.#decode(head, bytes)
  }

  onResponseError(_: unknown, error: Error): void {
    this.fail(error)
  }

  async #decode(head: Omit<HttpResponse, 'body'>, bytes: Buffer): Promise<void> {
    try {
      this.#end({ ...head, body: await readBody(bytes, head.headers) })
    } catch (error) {
      this.fail(error)
    }
  }

  #end(response: HttpResponse): void {
    if (this.#isSettled) return
    this.#settle()
    this.#callbacks.resolve(response)
  }

  #fail(failure: TransportFailure, { isProven = false } = {}): void {
    if (this.#isSettled) return
    this.#settle()
    const { reason, message } = failure
    const refusal = reason === 'too-large' ? this.#refusal() : undefined
    if (refusal !== undefined) this.#callbacks.resolve(refusal)
    else
      this.#callbacks.reject(
        // Unless the failure proves the opposite, a request that started may have arrived.
        this.isSent && !failure.sent && !isProven
          ? new TransportFailure(reason, true, message, { cause: failure })
          : failure,
      )
    this.#started?.abort(failure)
  }

  /** The response without its body, if its status says enough: that the service refused. */
  #refusal(): HttpResponse | undefined {
    if (this.#head === undefined) return undefined
    const { status, headers } = this.#head
    return status >= 400 && status < 500 ? { status, headers, body: '' } : undefined
  }

  #settle(): void {
    this.#isSettled = true
    this.#callbacks.onSettled(this)
  }
}

/**
 * Joins the values of repeated headers. Names are already in lower case. One client leaves trailing spaces on a value that
 * arrives in two pieces.
 */
function joinRepeatedHeaders(headers: RawHeaders): Headers {
  const joined: Record<string, string> = {}
  for (const name of Object.keys(headers)) {
    if (name === '__proto__') continue
    const value = headers[name]
    joined[name] = typeof value === 'string' ? value.trim() : (value ?? []).map(trim).join(', ')
  }
  return joined
}

const trim = (text: string): string => text.trim()

/**
 * The text of a complete body, decompressed if necessary.
 * @throws {TransportFailure} when it can't be decoded
 */
async function readBody(body: Buffer, headers: HttpResponse['headers']): Promise<string> {
  const coding = headers['content-encoding']
  if (coding === undefined || body.length === 0) return body.toString()
  // Loaded only when needed: we ask for no compression.
  const { decodeContent } = await import('./content-coding.ts')
  const decoded = await decodeContent(body, coding, MAX_BODY_BYTES)
  return decoded.toString()
}
