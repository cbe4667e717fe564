import { afterAll, expect, test } from 'vitest'
import { createSpawnBench } from '../support/spawn-pay.ts'

const bench = createSpawnBench()
afterAll(() => bench.dispose())

test.each([
  ['Asia/Tokyo', 'GMT+9'],
  ['UTC', 'UTC'],
])('with TZ=%s a table shows times in %s', async (TZ, zone) => {
  const made = await bench.pay('--sandbox session create --order-id A-1', { env: { TZ } })
  expect(made.exitCode, made.stderr).toBe(0)
  expect(made.stdout).toMatch(/^Expires +\d{4}-\d\d-\d\d \d\d:\d\d:\d\d (.+)$/m)
  expect(/^Expires .*:\d\d (.+)$/m.exec(made.stdout)?.[1]).toBe(zone)
})
