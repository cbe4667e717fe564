import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { AdaptiveLimiter } from '../../../src/bulk/send/adaptive-limiter.ts'

/** A clock that only sleeping moves: whoever is to wake first does, and it is that time. */
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
    /** All that can happen at this time happens; then the next one wakes. False when nobody sleeps. */
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
const OPTIONS = { concurrency: undefined, mostConcurrent: 32, rate: undefined }

function createPace(options: Partial<ConstructorParameters<typeof AdaptiveLimiter>[0]> = {}) {
  const clock = createClock()
  return {
    clock,
    limiter: new AdaptiveLimiter({ ...OPTIONS, now: clock.now, sleep: clock.sleep, ...options }),
  }
}

/** Lets one in, which has to be at once. */
async function enter(limiter: AdaptiveLimiter): Promise<number> {
  const turn = await limiter.acquire(always)
  if (turn === undefined) throw new Error('not let in')
  return turn
}

describe('room for a further one', () => {
  test('is there until somebody waits, and again when that one is let in', async () => {
    const { limiter } = createPace({ concurrency: 1 })
    expect(limiter.whenDrained()).toBeUndefined()
    await enter(limiter)
    expect(limiter.whenDrained()).toBeUndefined()
    const second = limiter.acquire(always)
    let isTold = false
    void limiter.whenDrained()?.then(() => (isTold = true))
    await settled()
    expect(isTold).toBe(false)
    limiter.release()
    await second
    await settled()
    expect(isTold).toBe(true)
  })

  test('is asked about anew when everything may have changed', async () => {
    const { limiter } = createPace({ concurrency: 1 })
    await enter(limiter)
    void limiter.acquire(always)
    const room = limiter.whenDrained()
    limiter.recheck()
    await room
    expect(limiter.whenDrained()).toBeDefined()
  })
})

describe('how much at once', () => {
  test('begins small and grows to the most there may be, one a round', async () => {
    const { limiter } = createPace()
    expect(limiter.limit).toBe(8)
    for (let round = 0; round < 2_000; round += 1) {
      await enter(limiter)
      limiter.reportSuccess()
      limiter.release()
    }
    expect(limiter.limit).toBe(32)
  })

  test('is halved by a 429 and comes back', async () => {
    const { limiter } = createPace()
    limiter.pause(await enter(limiter), 0)
    expect(limiter.limit).toBe(4)
    limiter.release()
    for (let round = 0; round < 4; round += 1) limiter.reportSuccess()
    expect(limiter.limit).toBe(5)
  })

  test('is made less once for what was under way at once', async () => {
    const { limiter } = createPace()
    const turns = await Promise.all(Array.from({ length: 8 }, () => enter(limiter)))
    for (const turn of turns) limiter.pause(turn, 0)
    expect(limiter.limit).toBe(4)
    for (const turn of turns) limiter.reportFailure(turn)
    expect(limiter.limit).toBe(4)
  })

  test('never comes to nothing', async () => {
    const { limiter } = createPace()
    for (let round = 0; round < 20; round += 1) {
      limiter.reportFailure(await enter(limiter))
      limiter.release()
    }
    expect(limiter.limit).toBe(1)
  })

  test('is as the person says, whatever happens', async () => {
    const { limiter } = createPace({ concurrency: 5 })
    limiter.pause(await enter(limiter), 0)
    for (let round = 0; round < 100; round += 1) limiter.reportSuccess()
    expect(limiter.limit).toBe(5)
  })
})

describe('a pause', () => {
  test('holds up everybody, and ends', async () => {
    const { limiter, clock } = createPace()
    limiter.pause(await enter(limiter), 5_000)
    limiter.release()
    const entered: number[] = []
    for (let index = 0; index < 3; index += 1)
      void limiter.acquire(always).then(() => entered.push(clock.now()))
    await settled()
    expect(entered).toEqual([])
    await clock.tick()
    expect(entered).toEqual([1_005_000, 1_005_000, 1_005_000])
  })

  test('is made longer by a later one, never shorter', async () => {
    const { limiter, clock } = createPace()
    const turn = await enter(limiter)
    expect(limiter.pause(turn, 1_000)).toBe(true)
    expect(limiter.pause(turn, 9_000)).toBe(true)
    expect(limiter.pause(turn, 2_000)).toBe(false)
    const entered = limiter.acquire(always).then(() => clock.now())
    while (await clock.tick());
    expect(await entered).toBe(1_009_000)
  })

  test('lasts no longer when the clock is set back an hour', async () => {
    const { limiter, clock } = createPace()
    limiter.pause(await enter(limiter), 2_000)
    const began = 1_000_000 - 3_600_000
    clock.set(began)
    const entered = limiter.acquire(always).then(() => clock.now())
    while (await clock.tick());
    expect((await entered) - began).toBeLessThanOrEqual(2_000)
  })
})

describe('what is not wanted any more', () => {
  test('is let go when told to look, and others stay in their places', async () => {
    const { limiter } = createPace({ concurrency: 1 })
    await enter(limiter)
    let isWanted = true
    const order: string[] = []
    const names = ['first', 'second', 'third']
    for (const [index, name] of names.entries())
      void limiter
        .acquire(() => index === 1 || isWanted)
        .then((turn) => order.push(`${name} ${turn === undefined ? 'given up' : 'in'}`))
    isWanted = false
    limiter.recheck()
    await settled()
    expect(order).toEqual(['first given up', 'third given up'])
    limiter.release()
    await settled()
    expect(order.at(-1)).toBe('second in')
  })

  test('ends a wait though the sleep for it was cut short', async () => {
    let isWanted = true
    const { limiter } = createPace({ sleep: async () => {} })
    limiter.pause(await enter(limiter), 60_000)
    isWanted = false
    expect(await limiter.acquire(() => isWanted)).toBeUndefined()
  })
})

/** One thing that happens. */
const EVENT = fc.oneof(
  { weight: 6, arbitrary: fc.constant('enter' as const) },
  { weight: 6, arbitrary: fc.constant('leave' as const) },
  { weight: 2, arbitrary: fc.constant('good' as const) },
  { weight: 1, arbitrary: fc.constant('trouble' as const) },
  { weight: 1, arbitrary: fc.constant('slow' as const) },
  { weight: 2, arbitrary: fc.constant('tick' as const) },
)

test('whatever happens: no more under way than allowed, first come first served, and nobody waits for ever', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(EVENT, { maxLength: 120 }),
      fc.option(fc.integer({ min: 1, max: 4 }), { nil: undefined }),
      fc.option(fc.integer({ min: 1, max: 50 }), { nil: undefined }),
      async (events, concurrency, rate) => {
        const { limiter, clock } = createPace({ concurrency, rate, mostConcurrent: 6 })
        const entered: number[] = []
        const turns: number[] = []
        const times: number[] = []
        let [asked, underway] = [0, 0]
        const take = async (event: typeof EVENT extends fc.Arbitrary<infer T> ? T : never) => {
          const turn = turns.at(-1) ?? 0
          if (event === 'enter') {
            const number = (asked += 1)
            void limiter.acquire(always).then((mine = 0) => {
              entered.push(number)
              turns.push(mine)
              times.push(clock.now())
              return (underway += 1)
            })
          } else if (event === 'leave' && underway > 0) {
            underway -= 1
            limiter.release()
          } else if (event === 'good') limiter.reportSuccess()
          else if (event === 'trouble') limiter.reportFailure(turn)
          else if (event === 'slow') limiter.pause(turn, 700)
          else if (event === 'tick') await clock.tick()
          await settled()
        }
        for (const event of events) {
          const before = underway
          await take(event)
          // What was let in before it was made less may stay.
          expect(underway).toBeLessThanOrEqual(Math.max(before, limiter.limit))
        }
        for (let round = 0; entered.length < asked && round < 10_000; round += 1) {
          if (underway > 0) await take('leave')
          else if (!(await clock.tick())) break
        }
        expect(entered).toEqual(Array.from({ length: asked }, (_, index) => index + 1))
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
