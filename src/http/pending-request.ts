import { MAX_BODY_BYTES, readBody } from './response-body.ts'
import { responseFailure, invalidResponse, connectFailure, timeoutFailure, tooLarge } from './failure.ts'
import { TransportFailure } from './transport-port.ts'
import type { SendOptions, HttpResponse, HttpRequest } from './transport-port.ts'

type Headers = HttpResponse['headers']
type RawHeaders = Readonly<Record<string, string | readonly string[] | undefined>>

export interface RequestController {
  abort(reason: Error): void
}

/** The events of a request: a part of undici's `DispatchHandler`. */
export interface ResponseHandler {
  onRequestStart(controller: RequestController): void
  onResponseStart(controller: unknown, status: number, headers: RawHeaders): void
  onResponseData(controller: unknown, chunk: Buffer): void
  onResponseEnd(): void
  onResponseError(controller: unknown, error: Error): void
}

interface Settle {
  readonly resolve: (answer: HttpResponse) => void
  readonly reject: (failure: TransportFailure) => void
  /** The request has ended. */
  readonly onSettled: (pending: PendingRequest) => void
}

/**
 * One request, from the first step to its complete answer, whatever client carries it. The first terminal event counts.
 *
 * The client calls `onRequestStart` just before it writes to the socket, in the same turn, and aborting in it prevents
 * the write. So a request that was never started was never written, not even in part: that is what `sent: false` says.
 */
export class PendingRequest implements ResponseHandler {
  readonly request: HttpRequest
  readonly options: SendOptions
  readonly deadlineMs: number
  readonly #settle: Settle
  #started: RequestController | undefined
  #isSettled = false
  #head: Omit<HttpResponse, 'body'> | undefined
  readonly #chunks: Buffer[] = []
  #bytes = 0

  constructor(
    { request, options, deadlineMs }: Pick<PendingRequest, 'request' | 'options' | 'deadlineMs'>,
    settle: Settle,
  ) {
    this.request = request
    this.options = options
    this.deadlineMs = deadlineMs
    this.#settle = settle
  }

  get isSettled(): boolean {
    return this.#isSettled
  }

  get isSent(): boolean {
    return this.#started !== undefined
  }

  abort(): void {
    this.#fail(new TransportFailure('aborted', this.isSent, 'it was given up'))
  }

  timeOut(): void {
    this.#fail(timeoutFailure(this.options.timeoutMs, this.isSent))
  }

  /** An error of the client; a {@link TransportFailure} counts as it is. */
  fail(error: unknown): void {
    if (error instanceof TransportFailure) this.#fail(error)
    else if (this.isSent) this.#fail(responseFailure(error))
    else this.#fail(connectFailure(error, new URL(this.request.url).host))
  }

  onRequestStart(controller: RequestController): void {
    // Given up while it waited for a connection, or about to be written a second time: neither may be.
    if (this.#isSettled || this.isSent) controller.abort(new Error('not to be written'))
    else this.#started = controller
  }

  onResponseStart(_: unknown, status: number, headers: RawHeaders): void {
    // 101 ends HTTP on the connection. Other 1xx announce the answer, they are not it.
    if (status === 101 || status < 100) this.fail(invalidResponse(`the status ${status}`))
    if (status < 200 || this.#isSettled) return
    const isBodiless = this.request.method === 'HEAD' || status === 204 || status === 304
    const head = joinRepeated(headers)
    const length = head['content-length']
    // A body where none may be: one client leaves it out, the other takes it for a fault.
    if (isBodiless && this.request.method !== 'HEAD' && Number(length ?? 0) !== 0)
      this.fail(invalidResponse(`a body with the status ${status}`))
    else if (!isBodiless && Number(length) > MAX_BODY_BYTES) this.#fail(tooLarge(MAX_BODY_BYTES))
    // RFC 9112, 6.3: how the end of the body is known.
    const isFramed = isBodiless || length !== undefined || head['transfer-encoding'] !== undefined
    this.#head = isFramed ? { status, headers: head } : { status, headers: head, isUnframed: true }
  }

  onResponseData(_: unknown, chunk: Buffer): void {
    this.#bytes += chunk.length
    if (this.#bytes > MAX_BODY_BYTES) this.#fail(tooLarge(MAX_BODY_BYTES))
    else if (!this.#isSettled) this.#chunks.push(chunk)
  }

  onResponseEnd(): void {
    const head = this.#head
    if (head === undefined) return this.fail(invalidResponse('an end without a beginning'))
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

  #end(answer: HttpResponse): void {
    if (this.#isSettled) return
    this.#over()
    this.#settle.resolve(answer)
  }

  #fail(failure: TransportFailure): void {
    if (this.#isSettled) return
    this.#over()
    // Whatever the failure says of itself: what was started may have arrived.
    const { reason, message } = failure
    this.#settle.reject(
      this.isSent && !failure.sent
        ? new TransportFailure(reason, true, message, { cause: failure })
        : failure,
    )
    this.#started?.abort(failure)
  }

  #over(): void {
    this.#isSettled = true
    this.#settle.onSettled(this)
  }
}

/** Names are lower case already; one client leaves spaces behind a value that comes in two pieces. */
function joinRepeated(headers: RawHeaders): Headers {
  const joined: Record<string, string> = {}
  for (const [name, value] of Object.entries(headers)) {
    if (name === '__proto__') continue
    joined[name] = typeof value === 'string' ? value.trim() : (value ?? []).map(trim).join(', ')
  }
  return joined
}

const trim = (text: string): string => text.trim()
