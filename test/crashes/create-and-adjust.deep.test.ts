import { expect, test } from 'vitest'
import { at } from '../sandbox/service.ts'
import { expectKeysUsedOnce } from './checks.ts'
import { createWorld, entriesAt, makePayment, makeSettledPayment, readPayment, listRecords } from './world.ts'
import type { Kill, ListedRecord, World } from './world.ts'

const SEED = Number(process.env['CRASH_SEED'] ?? 1)

/**
 * Resolves all open records at the same time, again and again. What was killed before it was sent stays in doubt: the service
 * doesn't show it, and only a minute later that proves anything. The checks below compare each record with the service.
 */
async function resolveEach(world: World): Promise<readonly ListedRecord[]> {
  for (let run = 0; run < 5; run += 1) {
    const records = await listRecords(world)
    const open = records.filter(({ state }) => state === 'in-doubt')
    if (open.length === 0) return records
    await Promise.all(open.map(({ id }) => world.pay(`ops resolve ${id}`)))
  }
  return listRecords(world)
}

test('payments and adjustments of killed commands happen once or not at all, and the ledger knows which', async () => {
  const world = await createWorld(SEED)
  const estimated = { paymentMethod: { authorizationType: 'ESTIMATED' } }
  const ids = await Promise.all(['E', 'F', 'G'].map((order) => makePayment(world, order, estimated)))
  for (const on of ['POST /payments', 'POST /payments/*/adjust-authorization'])
    await world.control('POST', 'faults', { on, do: 'drop-after', rate: 0.4, seed: SEED, times: 1_000 })
  const kills = (marker: string): readonly Kill[] => [
    { afterMs: 60 + Math.floor(world.random() * 250) },
    { at: 'arrived', marker },
    { at: 'handled', marker },
  ]
  const orders = ['order-1', 'order-2', 'order-3', 'order-4']
  const results = await Promise.all([
    ...orders.map((order, index) =>
      world.pay(
        `payment create --token tok_visa --amount ${500 + index} --currency EUR --order-id ${order}`,
        kills(`"${order}"`)[index],
      ),
    ),
    ...ids.map((id, index) =>
      world.pay(`payment adjust ${id} --amount ${2_000_000 + index}`, kills(`${2_000_000 + index}`)[index]),
    ),
  ])
  expect(results.filter(({ signal }) => signal === 'SIGKILL').length).toBeGreaterThan(2)
  const records = await resolveEach(world)
  for (const [index, order] of orders.entries()) {
    const { body } = await world.service.send('GET', `/payments?order_id=${order}`)
    const made = entriesAt(body, 'data')
    expect(made.length, order).toBeLessThanOrEqual(1)
    const record = records.find(({ target }) => target === order)
    expect(record?.state === 'confirmed', `${order} is ${record?.state}`).toBe(made.length === 1)
    if (results[index]?.exitCode === 0) expect(made).toHaveLength(1)
  }
  for (const [index, id] of ids.entries()) {
    const wanted = 2_000_000 + index
    const isDone = at(await readPayment(world, id), 'amount') === wanted
    const record = records.find(({ target }) => target === id)
    expect(record?.state === 'confirmed', `${id} is ${record?.state}`).toBe(isDone)
    if (results[orders.length + index]?.exitCode === 0) expect(isDone).toBe(true)
  }
  await expectKeysUsedOnce(world)
}, 120_000)

test('of ten simultaneous equal refunds one at a time is sent, and the sum is right', async () => {
  const world = await createWorld(SEED)
  const id = await makeSettledPayment(world, 'A')
  const results = await Promise.all(
    Array.from({ length: 10 }, () => world.pay(`payment refund ${id} --amount 700 --json`)),
  )
  for (const { exitCode, stderr } of results) {
    expect([0, 6], stderr).toContain(exitCode)
    if (exitCode === 6)
      expect(JSON.parse(stderr.trim())).toMatchObject({ error: { code: 'in_progress', outcome: 'none' } })
  }
  const done = results.filter(({ exitCode }) => exitCode === 0)
  expect(done.length).toBeGreaterThan(0)
  expect(at(await readPayment(world, id), 'processor', 'amountRefunded')).toBe(700 * done.length)
  const records = await listRecords(world)
  expect(records.map(({ state }) => state)).toEqual(done.map(() => 'confirmed'))
  await expectKeysUsedOnce(world)
}, 60_000)
