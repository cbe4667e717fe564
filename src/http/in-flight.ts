import { LONGEST_TIMER_MS } from '../duration.ts'
import { Exchange } from './exchange.ts'
import { ended } from './failure.ts'
import { TransportFailure } from './transport-port.ts'
import type { SendOptions, HttpResponse, HttpRequest } from './transport-port.ts'

/**
 * All that is under way over one client, with one timer and one listener a signal for all of it: with thousands of
 * requests a second, those of their own would cost as much as the requests.
 */
export class Exchanges {
  readonly #monotonicMs: () => number
  readonly #all = new Set<Exchange>()
  readonly #onOver = (over: Exchange) => this.#remove(over)
  readonly #signals = new Map<AbortSignal, { count: number; readonly listener: () => void }>()
  #timer: NodeJS.Timeout | undefined
  #timerAtMs = Number.POSITIVE_INFINITY
  #isClosed = false

  constructor(monotonicMs: () => number) {
    this.#monotonicMs = monotonicMs
  }

  /** Sends by `dispatch`, which reports every event to the exchange. */
  run(
    request: HttpRequest,
    options: SendOptions,
    dispatch: (exchange: Exchange) => void,
  ): Promise<HttpResponse> {
    return new Promise((resolve, reject) => {
      if (this.#isClosed) throw new TransportFailure('other', false, 'the connections are closed already')
      const deadlineMs = this.#monotonicMs() + options.timeoutMs
      const settle = { resolve, reject, onOver: this.#onOver }
      const exchange = new Exchange({ request, options, deadlineMs }, settle)
      this.#add(exchange)
      if (options.signal?.aborted === true || options.signalBeforeSent?.aborted === true)
        return exchange.giveUp()
      try {
        dispatch(exchange)
      } catch (error) {
        exchange.failWith(URL.canParse(request.url) ? error : invalidUrl())
      }
    })
  }

  /** Ends whatever is under way. */
  close(): void {
    this.#isClosed = true
    clearTimeout(this.#timer)
    for (const exchange of this.#all) exchange.failWith(ended())
  }

  #add(exchange: Exchange): void {
    this.#all.add(exchange)
    const { signal, signalBeforeSent } = exchange.options
    if (signal !== undefined) this.#listen(signal)
    if (signalBeforeSent !== undefined) this.#listen(signalBeforeSent)
    if (exchange.deadlineMs < this.#timerAtMs) this.#wakeAt(exchange.deadlineMs)
  }

  #remove(exchange: Exchange): void {
    this.#all.delete(exchange)
    const { signal, signalBeforeSent } = exchange.options
    if (signal !== undefined) this.#leave(signal)
    if (signalBeforeSent !== undefined) this.#leave(signalBeforeSent)
  }

  #listen(signal: AbortSignal): void {
    const known = this.#signals.get(signal)
    if (known !== undefined) {
      known.count += 1
      return
    }
    const listener = () => this.#giveUp(signal)
    this.#signals.set(signal, { count: 1, listener })
    signal.addEventListener('abort', listener)
  }

  #leave(signal: AbortSignal): void {
    const known = this.#signals.get(signal)
    if (known === undefined) return
    known.count -= 1
    if (known.count > 0) return
    this.#signals.delete(signal)
    signal.removeEventListener('abort', known.listener)
  }

  #giveUp(signal: AbortSignal): void {
    for (const exchange of this.#all) {
      const { options, isSent } = exchange
      if (options.signal === signal || (options.signalBeforeSent === signal && !isSent)) exchange.giveUp()
    }
  }

  #wakeAt(deadlineMs: number): void {
    clearTimeout(this.#timer)
    this.#timerAtMs = deadlineMs
    const inMs = Math.min(Math.max(1, Math.ceil(deadlineMs - this.#monotonicMs())), LONGEST_TIMER_MS)
    // The connection is what keeps the process waiting.
    this.#timer = setTimeout(() => this.#look(), inMs).unref()
  }

  /** Ends what has run out of time, and waits for the next. */
  #look(): void {
    const nowMs = this.#monotonicMs()
    this.#timerAtMs = Number.POSITIVE_INFINITY
    let next = Number.POSITIVE_INFINITY
    for (const exchange of this.#all) {
      if (exchange.deadlineMs <= nowMs) exchange.runOut()
      else next = Math.min(next, exchange.deadlineMs)
    }
    if (next < this.#timerAtMs) this.#wakeAt(next)
  }
}

const invalidUrl = () => new TransportFailure('other', false, 'the URL is not valid')
