import { MAX_TIMER_MS } from '../../text/duration.ts'
import { PendingRequest } from './pending-request.ts'
import { closedByUs } from './failure.ts'
import { TransportFailure } from './transport-port.ts'
import type { SendOptions, HttpResponse, HttpRequest } from './transport-port.ts'

/**
 * Every request in flight over one client. They share one timer, and one listener per signal: at thousands of requests a
 * second, one of each per request would cost as much as the request.
 */
export class InFlightRequests {
  readonly #monotonicMs: () => number
  /**
   * An array: a set that thousands of requests pass through moves to a new table again and again, and V8 links the old tables to
   * the new ones, so that each keeps its requests and their responses alive until a full garbage collection.
   */
  readonly #all: PendingRequest[] = []
  readonly #onSettled = (over: PendingRequest) => this.#remove(over)
  readonly #signals = new Map<AbortSignal, { count: number; readonly listener: () => void }>()
  #timer: NodeJS.Timeout | undefined
  #timerAtMs = Number.POSITIVE_INFINITY
  #isClosed = false

  constructor(monotonicMs: () => number) {
    this.#monotonicMs = monotonicMs
  }

  /** Sends with `dispatch`, which reports every event to the pending request. */
  run(
    request: HttpRequest,
    options: SendOptions,
    dispatch: (pending: PendingRequest) => void,
  ): Promise<HttpResponse> {
    return new Promise((resolve, reject) => {
      if (this.#isClosed) throw new TransportFailure('other', false, 'the connections are already closed')
      const deadlineMs = this.#monotonicMs() + options.timeoutMs
      const settle = { resolve, reject, onSettled: this.#onSettled }
      const pending = new PendingRequest({ request, options, deadlineMs }, settle)
      this.#add(pending)
      if (options.signal?.aborted === true || options.signalBeforeSent?.aborted === true)
        return pending.abort()
      try {
        dispatch(pending)
      } catch (error) {
        pending.fail(URL.canParse(request.url) ? error : invalidUrl())
      }
    })
  }

  /** Fails every request in flight. */
  close(): void {
    this.#isClosed = true
    clearTimeout(this.#timer)
    for (const pending of this.#all.slice()) pending.fail(closedByUs())
  }

  #add(pending: PendingRequest): void {
    pending.place = this.#all.push(pending) - 1
    const { signal, signalBeforeSent } = pending.options
    if (signal !== undefined) this.#listen(signal)
    if (signalBeforeSent !== undefined) this.#listen(signalBeforeSent)
    if (pending.deadlineMs < this.#timerAtMs) this.#wakeAt(pending.deadlineMs)
  }

  #remove(pending: PendingRequest): void {
    const last = this.#all.pop()
    if (last !== undefined && last !== pending) {
      this.#all[pending.place] = last
      last.place = pending.place
    }
    const { signal, signalBeforeSent } = pending.options
    if (signal !== undefined) this.#unlisten(signal)
    if (signalBeforeSent !== undefined) this.#unlisten(signalBeforeSent)
  }

  #listen(signal: AbortSignal): void {
    const known = this.#signals.get(signal)
    if (known !== undefined) {
      known.count += 1
      return
    }
    const listener = () => this.#abort(signal)
    this.#signals.set(signal, { count: 1, listener })
    signal.addEventListener('abort', listener)
  }

  #unlisten(signal: AbortSignal): void {
    const known = this.#signals.get(signal)
    if (known === undefined) return
    known.count -= 1
    if (known.count > 0) return
    this.#signals.delete(signal)
    signal.removeEventListener('abort', known.listener)
  }

  #abort(signal: AbortSignal): void {
    for (const pending of this.#all.slice()) {
      const { options, isSent } = pending
      if (options.signal === signal || (options.signalBeforeSent === signal && !isSent)) pending.abort()
    }
  }

  #wakeAt(deadlineMs: number): void {
    clearTimeout(this.#timer)
    this.#timerAtMs = deadlineMs
    const inMs = Math.min(Math.max(1, Math.ceil(deadlineMs - this.#monotonicMs())), MAX_TIMER_MS)
    // The connection keeps the process alive; the timer must not.
    this.#timer = setTimeout(() => this.#checkDeadlines(), inMs).unref()
  }

  /** Times out what is overdue and schedules the next check. */
  #checkDeadlines(): void {
    const nowMs = this.#monotonicMs()
    this.#timerAtMs = Number.POSITIVE_INFINITY
    let next = Number.POSITIVE_INFINITY
    for (const pending of this.#all.slice()) {
      if (pending.deadlineMs <= nowMs) pending.timeOut()
      else next = Math.min(next, pending.deadlineMs)
    }
    if (next < this.#timerAtMs) this.#wakeAt(next)
  }
}

const invalidUrl = () => new TransportFailure('other', false, 'the URL is not valid')
