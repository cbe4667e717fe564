import { expect, test } from 'vitest'
import { createPause, followDelayMs, retryDelayMs } from '../../../../src/pages/checkout/payment/pause.ts'

test('requests are repeated after half a second, then ever later, up to half a minute', () => {
  expect([0, 1, 2, 3, 6, 50].map((lost) => retryDelayMs(lost))).toEqual([
    500, 1000, 2000, 4000, 30_000, 30_000,
  ])
})

test('a service that asks for more time gets it, within reason', () => {
  expect(retryDelayMs(0, 7000)).toBe(7000)
  expect(retryDelayMs(0, 3_600_000)).toBe(30_000)
})

test('a payment is read after a second, then at growing intervals of up to 15 seconds', () => {
  const delays = Array.from({ length: 20 }, (_, looks) => followDelayMs(looks))
  expect(delays[0]).toBe(1000)
  expect(delays.at(-1)).toBe(15_000)
  expect(delays).toEqual(delays.toSorted((one, two) => one - two))
})

test('all waits end early on request', async () => {
  const pause = createPause()
  const waits = [pause.wait(3_600_000), pause.wait(3_600_000)]
  pause.endAll()
  await Promise.all(waits)
  await pause.wait(1)
})
