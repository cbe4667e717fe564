import { expect } from 'vitest'
import { at } from '../sandbox/service.ts'
import { entriesAt, readPayment, toldRecords } from './world.ts'
import type { ToldRecord, World } from './world.ts'

export type Verb = 'refund' | 'capture'

/** One command, and how its process ended. Its amount is no other's. */
export interface Told {
  readonly verb: Verb
  readonly id: string
  readonly amount: number
  readonly exitCode: number | null
  readonly stderr: string
}

/** Nothing is in doubt any more, however often that has to be tried: the resolving may meet faults as well. */
export async function resolveAll(world: World): Promise<readonly ToldRecord[]> {
  for (let run = 0; run < 12; run += 1) {
    const { exitCode, stderr } = await world.pay('ops resolve --all --json')
    expect([0, 10], stderr).toContain(exitCode)
    const records = await toldRecords(world)
    const open = records.filter(({ state }) => state === 'sending' || state === 'in-doubt')
    expect(exitCode === 0, `exit ${exitCode}, open: ${JSON.stringify(open)}`).toBe(open.length === 0)
    if (open.length === 0) return records
  }
  throw new Error('it stays in doubt')
}

/** The amounts that were given back, as the service tells it. */
async function refundsOf(world: World, id: string): Promise<readonly number[]> {
  return entriesAt(await readPayment(world, id), 'transactions')
    .filter((entry) => at(entry, 'transactionType') === 'REFUND')
    .map((entry) => Number(at(entry, 'amount')))
}

const sum = (amounts: readonly number[]): number => amounts.reduce((one, other) => one + other, 0)
const sorted = (amounts: readonly number[]): readonly number[] => amounts.toSorted((a, b) => a - b)

/** What the ledger says of a payment is what the service did. */
export async function expectSameSums(
  world: World,
  records: readonly ToldRecord[],
  ids: readonly string[],
): Promise<void> {
  for (const id of ids) {
    const confirmed = (operation: string) =>
      records
        .filter(
          (record) => record.target === id && record.operation === operation && record.state === 'confirmed',
        )
        .map(({ amount }) => amount)
    expect(sorted(await refundsOf(world, id)), `refunds of ${id}`).toEqual(
      sorted(confirmed('payment.refund')),
    )
    const captured = Number(at(await readPayment(world, id), 'processor', 'amountCaptured'))
    const captures = confirmed('payment.capture')
    // What was captured to begin with was captured by the test.
    expect(captured === 1_000_000 ? captured : sum(captures), `captured of ${id}`).toBe(captured)
    if (captured === 1_000_000) expect(captures).toEqual([])
  }
}

/** No key did anything twice, and nobody but the program sent anything. */
export async function expectKeysUsedOnce(world: World): Promise<void> {
  const { body } = await world.service.send('GET', '/sandbox/requests?limit=10000')
  const keys = entriesAt(body, 'data')
    .filter((entry) => at(entry, 'applied') === true)
    .map((entry) => at(entry, 'idempotencyKey'))
    .filter((key) => key !== undefined)
  expect(keys.length).toBeGreaterThan(0)
  expect(new Set(keys).size).toBe(keys.length)
}

/** What a process said when it ended, held against what the service did in the end. */
export async function expectTrueWords(
  world: World,
  told: readonly Told[],
  records: readonly ToldRecord[],
): Promise<void> {
  for (const { verb, id, amount, exitCode, stderr } of told) {
    const [record, ...more] = records.filter(
      (one) => one.amount === amount && one.target === id && one.operation === `payment.${verb}`,
    )
    expect(more).toEqual([])
    const isDone =
      verb === 'refund' ? (await refundsOf(world, id)).includes(amount) : record?.state === 'confirmed'
    const words = `${verb} of ${amount}, exit ${exitCode}: ${stderr}`
    if (record !== undefined) expect(isDone, words).toBe(record.state === 'confirmed')
    else expect(isDone, words).toBe(false)
    switch (exitCode) {
      case 0:
        expect(isDone, words).toBe(true)
        break
      case 10:
        expect(record, words).toBeDefined()
        break
      case 3:
      case 6:
        expect(isDone, words).toBe(false)
        break
      case null:
        break
      default:
        throw new Error(`an exit code that nothing here explains: ${words}`)
    }
  }
}
