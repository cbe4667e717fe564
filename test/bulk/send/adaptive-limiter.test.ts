import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { AdaptiveLimiter } from '../../../src/bulk/send/adaptive-limiter.ts'

/** A clock that moves only to the time of the next timer. */
function createClock() {
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

const settled = () => new Promise<void>((resolve) => setImmediate(resolve))
const always = () => true
const OPTIONS = { concurrency: undefined, maxConcurrency: 32, rate: undefined }

function createLimiter(options: Partial<ConstructorParameters<typeof AdaptiveLimiter>[0]> = {}) {
  const clock = createClock()
  return {
    clock,
    limiter: new AdaptiveLimiter({ ...OPTIONS, now: clock.now, sleep: clock.sleep, ...options }),
  }
}

/** Acquires a ticket, which must be available at once. */
async function acquire(limiter: AdaptiveLimiter): Promise<number> {
  const ticket = await limiter.acquire(always)
  if (ticket === undefined) throw new Error('no ticket')
  return ticket
}

describe('draining', () => {
  test('resolves once nothing waits for a ticket', async () => {
    const { limiter } = createLimiter({ concurrency: 1 })
    expect(limiter.whenDrained()).toBeUndefined()
    await acquire(limiter)
    expect(limiter.whenDrained()).toBeUndefined()
    const second = limiter.acquire(always)
    let isDrained = false
    void limiter.whenDrained()?.then(() => (isDrained = true))
    await settled()
    expect(isDrained).toBe(false)
    limiter.release()
    await second
    await settled()
    expect(isDrained).toBe(true)
  })

  test('resolves on recheck', async () => {
    const { limiter } = createLimiter({ concurrency: 1 })
    await acquire(limiter)
    void limiter.acquire(always)
    const drained = limiter.whenDrained()
    limiter.recheck()
    await drained
    expect(limiter.whenDrained()).toBeDefined()
  })
})

describe('the limit', () => {
  test('starts small and grows by one per round up to the maximum', async () => {
    const { limiter } = createLimiter()
    expect(limiter.limit).toBe(8)
    for (let round = 0; round < 2_000; round += 1) {
      await acquire(limiter)
      limiter.reportSuccess()
      limiter.release()
    }
    expect(limiter.limit).toBe(32)
  })

  test('is halved by a 429 and grows again', async () => {
    const { limiter } = createLimiter()
    limiter.pause(await acquire(limiter), 0)
    expect(limiter.limit).toBe(4)
    limiter.release()
    for (let round = 0; round < 4; round += 1) limiter.reportSuccess()
    expect(limiter.limit).toBe(5)
  })

  test('is reduced once for concurrent failures', async () => {
    const { limiter } = createLimiter()
    const tickets = await Promise.all(Array.from({ length: 8 }, () => acquire(limiter)))
    for (const ticket of tickets) limiter.pause(ticket, 0)
    expect(limiter.limit).toBe(4)
    for (const ticket of tickets) limiter.reportFailure(ticket)
    expect(limiter.limit).toBe(4)
  })

  test('is never less than 1', async () => {
    const { limiter } = createLimiter()
    for (let round = 0; round < 20; round += 1) {
      limiter.reportFailure(await acquire(limiter))
      limiter.release()
    }
    expect(limiter.limit).toBe(1)
  })

  test('is fixed if the user sets it', async () => {
    const { limiter } = createLimiter({ concurrency: 5 })
    limiter.pause(await acquire(limiter), 0)
    for (let round = 0; round < 100; round += 1) limiter.reportSuccess()
    expect(limiter.limit).toBe(5)
  })
})

describe('a pause', () => {
  test('delays every request until it ends', async () => {
    const { limiter, clock } = createLimiter()
    limiter.pause(await acquire(limiter), 5_000)
    limiter.release()
    const admitted: number[] = []
    for (let index = 0; index < 3; index += 1)
      void limiter.acquire(always).then(() => admitted.push(clock.now()))
    await settled()
    expect(admitted).toEqual([])
    await clock.tick()
    expect(admitted).toEqual([1_005_000, 1_005_000, 1_005_000])
  })

  test('is extended by a later one, never shortened', async () => {
    const { limiter, clock } = createLimiter()
    const ticket = await acquire(limiter)
    expect(limiter.pause(ticket, 1_000)).toBe(true)
    expect(limiter.pause(ticket, 9_000)).toBe(true)
    expect(limiter.pause(ticket, 2_000)).toBe(false)
    const admitted = limiter.acquire(always).then(() => clock.now())
    while (await clock.tick());
    expect(await admitted).toBe(1_009_000)
  })

  test('lasts no longer if the clock is set back an hour', async () => {
    const { limiter, clock } = createLimiter()
    limiter.pause(await acquire(limiter), 2_000)
    const began = 1_000_000 - 3_600_000
    clock.set(began)
    const admitted = limiter.acquire(always).then(() => clock.now())
    while (await clock.tick());
    expect((await admitted) - began).toBeLessThanOrEqual(2_000)
  })
})

describe('an unwanted request', () => {
  test('is removed on recheck, and the others keep their order', async () => {
    const { limiter } = createLimiter({ concurrency: 1 })
    await acquire(limiter)
    let isWanted = true
    const order: string[] = []
    const names = ['first', 'second', 'third']
    for (const [index, name] of names.entries())
      void limiter
        .acquire(() => index === 1 || isWanted)
        .then((ticket) => order.push(`${name} ${ticket === undefined ? 'dropped' : 'admitted'}`))
    isWanted = false
    limiter.recheck()
    await settled()
    expect(order).toEqual(['first dropped', 'third dropped'])
    limiter.release()
    await settled()
    expect(order.at(-1)).toBe('second admitted')
  })

  test('is removed when its sleep is cut short', async () => {
    let isWanted = true
    const { limiter } = createLimiter({ sleep: async () => {} })
    limiter.pause(await acquire(limiter), 60_000)
    isWanted = false
    expect(await limiter.acquire(() => isWanted)).toBeUndefined()
  })
})

/** One step of a random history. */
const EVENT = fc.oneof(
  { weight: 6, arbitrary: fc.constant('acquire' as const) },
  { weight: 6, arbitrary: fc.constant('release' as const) },
  { weight: 2, arbitrary: fc.constant('success' as const) },
  { weight: 1, arbitrary: fc.constant('failure' as const) },
  { weight: 1, arbitrary: fc.constant('pause' as const) },
  { weight: 2, arbitrary: fc.constant('tick' as const) },
)

test('in any history, the limit holds, requests are admitted in order, and every request is admitted', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(EVENT, { maxLength: 120 }),
      fc.option(fc.integer({ min: 1, max: 4 }), { nil: undefined }),
      fc.option(fc.integer({ min: 1, max: 50 }), { nil: undefined }),
      async (events, concurrency, rate) => {
        const { limiter, clock } = createLimiter({ concurrency, rate, maxConcurrency: 6 })
        const admitted: number[] = []
        const tickets: number[] = []
        const times: number[] = []
        let [asked, inFlight] = [0, 0]
        const take = async (event: typeof EVENT extends fc.Arbitrary<infer T> ? T : never) => {
          const ticket = tickets.at(-1) ?? 0
          if (event === 'acquire') {
            const number = (asked += 1)
            void limiter.acquire(always).then((mine = 0) => {
              admitted.push(number)
              tickets.push(mine)
              times.push(clock.now())
              return (inFlight += 1)
            })
          } else if (event === 'release' && inFlight > 0) {
            inFlight -= 1
            limiter.release()
          } else if (event === 'success') limiter.reportSuccess()
          else if (event === 'failure') limiter.reportFailure(ticket)
          else if (event === 'pause') limiter.pause(ticket, 700)
          else if (event === 'tick') await clock.tick()
          await settled()
        }
        for (const event of events) {
          const before = inFlight
          await take(event)
          // Requests admitted before a reduction stay in flight.
          expect(inFlight).toBeLessThanOrEqual(Math.max(before, limiter.limit))
        }
        for (let round = 0; admitted.length < asked && round < 10_000; round += 1) {
          if (inFlight > 0) await take('release')
          else if (!(await clock.tick())) break
        }
        expect(admitted).toEqual(Array.from({ length: asked }, (_, index) => index + 1))
        if (rate !== undefined)
          for (const [index, at] of times.entries()) {
            const next = times[index + rate]
            if (next !== undefined) expect(next - at).toBeGreaterThanOrEqual(999)
          }
      },
    ),
    { numRuns: 150 },
  )
})
