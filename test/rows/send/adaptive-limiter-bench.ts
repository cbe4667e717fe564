import { AdaptiveLimiter } from '../../../src/rows/send/adaptive-limiter.ts'

/** A clock that moves only to the time of the next timer. */
export function createClock() {
  let now = 1_000_000
  const sleeping: { readonly at: number; readonly wake: () => void }[] = []
  return {
    now: () => now,
    set: (ms: number) => {
      now = ms
    },
    sleep: (ms: number) =>
      new Promise<void>((wake) => {
        sleeping.push({ at: now + ms, wake })
      }),
    /** Lets everything pending happen, then fires the next timer. Resolves to false if there is none. */
    async tick(): Promise<boolean> {
      await settled()
      const next = sleeping.toSorted((a, b) => a.at - b.at)[0]
      if (next === undefined) return false
      sleeping.splice(sleeping.indexOf(next), 1)
      now = Math.max(now, next.at)
      next.wake()
      await settled()
      return true
    },
  }
}

export const settled = () => new Promise<void>((resolve) => setImmediate(resolve))
export const always = () => true
export const OPTIONS = { concurrency: undefined, maxConcurrency: 32, rate: undefined }

export function createLimiter(options: Partial<ConstructorParameters<typeof AdaptiveLimiter>[0]> = {}) {
  const clock = createClock()
  return {
    clock,
    limiter: new AdaptiveLimiter({ ...OPTIONS, now: clock.now, sleep: clock.sleep, ...options }),
  }
}

/** Acquires a ticket, which must be available at once. */
export async function acquire(limiter: AdaptiveLimiter): Promise<number> {
  const ticket = await limiter.acquire(always)
  if (ticket === undefined) throw new Error('no ticket')
  return ticket
}
