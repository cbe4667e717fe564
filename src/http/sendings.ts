import { LONGEST_TIMER_MS } from '../duration.ts'
import type { Sending } from './sending.ts'

/**
 * All that is under way, with one timer and one listener a signal for all of it: with thousands of requests a second, those
 * of their own would cost more than the requests.
 */
export class Sendings {
  readonly #monotonicMs: () => number
  readonly #all = new Set<Sending>()
  readonly #signals = new Map<AbortSignal, { count: number; readonly listener: () => void }>()
  #timer: NodeJS.Timeout | undefined
  #timerAtMs = Number.POSITIVE_INFINITY

  constructor(monotonicMs: () => number) {
    this.#monotonicMs = monotonicMs
  }

  add(sending: Sending): void {
    this.#all.add(sending)
    const { signal, signalBeforeSent } = sending.options
    if (signal !== undefined) this.#listen(signal)
    if (signalBeforeSent !== undefined) this.#listen(signalBeforeSent)
    if (sending.deadlineMs < this.#timerAtMs) this.#wakeAt(sending.deadlineMs)
  }

  remove(sending: Sending): void {
    this.#all.delete(sending)
    const { signal, signalBeforeSent } = sending.options
    if (signal !== undefined) this.#leave(signal)
    if (signalBeforeSent !== undefined) this.#leave(signalBeforeSent)
  }

  close(): void {
    clearTimeout(this.#timer)
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
    for (const sending of this.#all) {
      const { options, isSent } = sending
      if (options.signal === signal || (options.signalBeforeSent === signal && !isSent)) sending.giveUp()
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
    for (const sending of this.#all) {
      if (sending.deadlineMs <= nowMs) sending.runOut()
      else next = Math.min(next, sending.deadlineMs)
    }
    if (next < this.#timerAtMs) this.#wakeAt(next)
  }
}
