/** Waits that can end early, for example when the connection is back. */
export interface Pause {
  wait(ms: number): Promise<void>
  endAll(): void
}

export function createPause(): Pause {
  const waiting = new Set<() => void>()
  return {
    wait: (ms) =>
      new Promise((resolve) => {
        const end = () => {
          clearTimeout(timer)
          waiting.delete(end)
          resolve()
        }
        const timer = setTimeout(end, ms)
        waiting.add(end)
      }),
    endAll: () => {
      for (const end of waiting) end()
    },
  }
}

/** The pause before the request that follows `lost` ones without a response. */
export const retryDelayMs = (lost: number, retryAfterMs = 0): number =>
  Math.min(Math.max(500 * 2 ** lost, retryAfterMs), 30_000)

/** The pause before the next read of a payment that waits for a third party, after `looks` reads. */
export const followDelayMs = (looks: number): number => Math.min(Math.round(1000 * 1.4 ** looks), 15_000)
