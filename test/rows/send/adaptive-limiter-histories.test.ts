import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { always, createLimiter, settled } from './adaptive-limiter-bench.ts'

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
