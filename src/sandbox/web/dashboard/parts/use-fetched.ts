import { batch, useSignal, useSignalEffect } from '@preact/signals'
import { useEffect, useRef } from 'preact/hooks'
import { live } from '../../page/live.ts'
import { ServiceError } from '../../page/service-error.ts'

export interface Fetched<T> {
  /** Undefined until the first response. Stays while other inputs load, so that nothing jumps. */
  readonly data: T | undefined
  /** Why the last attempt failed; undefined after a success. */
  readonly error: ServiceError | undefined
  readonly isLoading: boolean
  readonly reload: () => void
}

/**
 * Loads data, again when an input changes, and again when the sandbox's data changes. Changes during a request lead to one
 * more request after it.
 */
export function useFetched<T>(
  load: (signal: AbortSignal) => Promise<T>,
  inputs: readonly unknown[],
): Fetched<T> {
  const data = useSignal<T | undefined>(undefined)
  const error = useSignal<ServiceError | undefined>(undefined)
  const isLoading = useSignal(true)
  const run = useRef<() => void>(ignore)

  useEffect(() => {
    const abort = new AbortController()
    let isRunning = false
    let isOutdated = false
    const start = () => {
      isOutdated = isRunning
      if (isRunning) return
      isRunning = true
      isLoading.value = true
      keep(abort.signal).catch(rethrow)
    }
    const keep = async (signal: AbortSignal) => {
      const outcome = await load(signal).then(
        (value) => ({ value }),
        (reason: unknown) => ({ reason }),
      )
      isRunning = false
      if (signal.aborted) return
      batch(() => {
        isLoading.value = false
        if ('value' in outcome) {
          data.value = outcome.value
          error.value = undefined
        } else if (outcome.reason instanceof ServiceError) error.value = outcome.reason
        else throw outcome.reason
      })
      if (isOutdated) start()
    }
    run.current = start
    start()
    return () => abort.abort()
  }, inputs)

  const seen = useRef(live.version.peek())
  useSignalEffect(() => {
    if (live.version.value === seen.current) return
    seen.current = live.version.value
    run.current()
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
