import { LONGEST_TIMER_MS } from '../duration.ts'
import { MAX_BODY_BYTES, readBody } from './answer-body.ts'
import { answerFailure, connectFailure, timeoutFailure, tooLarge } from './failure.ts'
import { TransportFailure } from './transport-port.ts'
import type { SendOptions, WireAnswer, WireRequest } from './transport-port.ts'

type Headers = WireAnswer['headers']
type RawHeaders = Readonly<Record<string, string | string[] | undefined>>

interface Controller {
  abort(reason: Error): void
}

/** What undici tells of a request: a part of its `DispatchHandler`. */
export interface Handler {
  onRequestStart(controller: Controller): void
  onResponseStart(controller: Controller, status: number, headers: RawHeaders): void
  onResponseData(controller: Controller, chunk: Buffer): void
  onResponseEnd(): void
  onResponseError(controller: unknown, error: Error): void
}

/**
 * One request, from the first step to its complete answer.
 *
 * `onRequestStart` is called just before the write to the socket, in the same turn, and aborting in it prevents the
 * write. So a request that was never started was never written, not even in part: that is what `sent: false` says.
 */
export function exchange(
  dispatch: (handler: Handler) => void,
  request: WireRequest,
  { timeoutMs, signal, signalBeforeSent }: SendOptions,
): Promise<WireAnswer> {
  return new Promise((resolve, reject) => {
    let started: Controller | undefined
    let isOver = false
    let head: Omit<WireAnswer, 'body'> = { status: 0, headers: {} }
    const chunks: Buffer[] = []
    let bytes = 0

    const end = () => {
      isOver = true
      clearTimeout(timer)
      signal?.removeEventListener('abort', onAbort)
      signalBeforeSent?.removeEventListener('abort', onAbortBeforeSent)
    }
    const fail = (failure: TransportFailure) => {
      if (isOver) return
      end()
      reject(failure)
      started?.abort(failure)
    }
    const failWith = (error: unknown) =>
      fail(started === undefined ? connectFailure(error, new URL(request.url).host) : answerFailure(error))
    const onAbort = () => fail(new TransportFailure('aborted', started !== undefined, 'it was given up'))
    const onAbortBeforeSent = () => {
      if (started === undefined) onAbort()
    }
    const onTimeout = () => fail(timeoutFailure(timeoutMs, started !== undefined))
    const finish = async () => {
      try {
        const body = await readBody(Buffer.concat(chunks), head.headers)
        if (isOver) return
        end()
        resolve({ ...head, body })
      } catch (error) {
        fail(answerFailure(error))
      }
    }

    const timer = setTimeout(onTimeout, Math.min(timeoutMs, LONGEST_TIMER_MS))
    signal?.addEventListener('abort', onAbort)
    signalBeforeSent?.addEventListener('abort', onAbortBeforeSent)
    if (signal?.aborted === true || signalBeforeSent?.aborted === true) {
      onAbort()
      return
    }
    const handler: Handler = {
      onRequestStart(controller) {
        // Given up while it waited for a connection, or about to be written a second time: neither may be.
        if (isOver || started !== undefined) controller.abort(new Error('not to be written'))
        else started = controller
      },
      onResponseStart(_, status, headers) {
        // 1xx announce the answer, they are not it.
        if (status < 200) return
        head = headOf(request, status, joinRepeated(headers))
        if (request.method !== 'HEAD' && Number(head.headers['content-length']) > MAX_BODY_BYTES)
          fail(tooLarge(MAX_BODY_BYTES))
      },
      onResponseData(_, chunk) {
        bytes += chunk.length
        if (bytes > MAX_BODY_BYTES) fail(tooLarge(MAX_BODY_BYTES))
        else chunks.push(chunk)
      },
      onResponseEnd() {
        void finish()
      },
      onResponseError(_, error) {
        failWith(error)
      },
    }
    try {
      dispatch(handler)
    } catch (error) {
      failWith(error)
    }
  })
}

/** RFC 9112, 6.3: how the end of the body is known. */
function headOf({ method }: WireRequest, status: number, headers: Headers): Omit<WireAnswer, 'body'> {
  const isBodiless = method === 'HEAD' || status === 204 || status === 304
  const isFramed = headers['content-length'] !== undefined || headers['transfer-encoding'] !== undefined
  return isBodiless || isFramed ? { status, headers } : { status, headers, isUnframed: true }
}

/** Names are lower case already. */
function joinRepeated(headers: RawHeaders): Headers {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [
      name,
      Array.isArray(value) ? value.join(', ') : (value ?? ''),
    ]),
  )
}
