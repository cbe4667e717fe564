import { describe, expect, test } from 'vitest'
import { acquire, always, createLimiter, settled } from './adaptive-limiter-bench.ts'

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

  const createSteady = () => createLimiter({ maxWhileSteady: 64 })
  /** Responds to all requests in flight after `latencyMs`, again and again. */
  const run = async (
    { limiter, clock }: ReturnType<typeof createLimiter>,
    latencyMs: (inFlight: number) => number,
    rounds = 200,
  ) => {
    for (let round = 0; round < rounds; round += 1) {
      const { limit } = limiter
      const tickets = await Promise.all(Array.from({ length: limit }, () => acquire(limiter)))
      clock.set(clock.now() + latencyMs(limit))
      for (const _ of tickets) {
        limiter.reportSuccess()
        limiter.release()
      }
    }
    return limiter.limit
  }

  test('passes the maximum while responses take as long as with few requests', async () => {
    expect(await run(createSteady(), () => 100)).toBe(64)
  })

  test('stays at the maximum if requests wait for each other', async () => {
    expect(await run(createSteady(), (inFlight) => inFlight)).toBe(32)
  })

  test('grows again after a reduction, when more requests are in flight than a round has', async () => {
    const bench = createSteady()
    const { limiter } = bench
    expect(await run(bench, () => 100, 40)).toBe(48)
    limiter.pause(await acquire(limiter), 0)
    limiter.release()
    for (let success = 0; success < 24; success += 1) limiter.reportSuccess()
    bench.clock.set(bench.clock.now() + 100)
    expect(await run(bench, () => 100)).toBe(64)
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
