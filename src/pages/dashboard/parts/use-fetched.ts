import { batch, useSignal, useSignalEffect } from '@preact/signals'
import { useEffect, useRef } from 'preact/hooks'
import { live } from '../../page/live.ts'
import { ServiceError } from '../../page/send.ts'

export interface Fetched<T> {
  /** Undefined until the first response. Stays while other inputs load, so that nothing jumps. */
  readonly data: T | undefined
  /** Why the last attempt failed; undefined after a success. */
  readonly error: ServiceError | undefined
  readonly isLoading: boolean
  readonly reload: () => void
}

/** The least time between two loads because of changes. */
const REST_MS = 200

/**
 * Loads data, again when an input changes, and again when the sandbox's data changes. Changes during a request lead to one
 * more request after it; while there are many, the sandbox has at least three quarters of the time for others.
 */
export function useFetched<T>(
  load: (signal: AbortSignal) => Promise<T>,
  inputs: readonly unknown[],
): Fetched<T> {
  const data = useSignal<T | undefined>(undefined)
  const error = useSignal<ServiceError | undefined>(undefined)
  const isLoading = useSignal(true)
  const run = useRef<() => void>(ignore)
  const runSoon = useRef<() => void>(ignore)

  useEffect(() => {
    const abort = new AbortController()
    let isRunning = false
    let isOutdated = false
    let restUntilMs = 0
    let timer: number | undefined
    const start = () => {
      isOutdated = isRunning
      if (isRunning) return
      isRunning = true
      isLoading.value = true
      keep(abort.signal).catch(rethrow)
    }
    const startSoon = () => {
      timer ??= window.setTimeout(
        () => {
          timer = undefined
          start()
        },
        Math.max(0, restUntilMs - performance.now()),
      )
    }
    const keep = async (signal: AbortSignal) => {
      const beganMs = performance.now()
      const outcome = await load(signal).then(
        (value) => ({ value }),
        (reason: unknown) => ({ reason }),
      )
      isRunning = false
      if (signal.aborted) return
      const endedMs = performance.now()
      restUntilMs = endedMs + Math.max(REST_MS, 3 * (endedMs - beganMs))
      batch(() => {
        isLoading.value = false
        if ('value' in outcome) {
          data.value = outcome.value
          error.value = undefined
        } else if (outcome.reason instanceof ServiceError) error.value = outcome.reason
        else throw outcome.reason
      })
      if (isOutdated) startSoon()
    }
    run.current = start
    runSoon.current = startSoon
    start()
    return () => {
      abort.abort()
      window.clearTimeout(timer)
    }
  }, inputs)

  const seen = useRef(live.version.peek())
  useSignalEffect(() => {
    if (live.version.value === seen.current) return
    seen.current = live.version.value
    runSoon.current()
  })
  return {
    data: data.value,
    error: error.value,
    isLoading: isLoading.value,
    reload: () => run.current(),
  }
}

const ignore = (): void => undefined

/** Reports a bug in the page as an uncaught error. */
function rethrow(reason: unknown): void {
  queueMicrotask(() => {
    throw reason
  })
}
