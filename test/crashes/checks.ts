import { expect } from 'vitest'
import { at } from '../sandbox/service.ts'
import { entriesAt, readPayment, listRecords } from './world.ts'
import type { ListedRecord, World } from './world.ts'

export type Verb = 'refund' | 'capture'

/** A command and how its process ended. Every command has a different amount, which identifies it. */
export interface CommandResult {
  readonly verb: Verb
  readonly id: string
  readonly amount: number
  readonly exitCode: number | null
  readonly stderr: string
}

/** Runs `pay ops resolve --all` until no record is open; faults may affect it too. */
export async function resolveAll(world: World): Promise<readonly ListedRecord[]> {
  for (let run = 0; run < 12; run += 1) {
    const { exitCode, stderr } = await world.pay('ops resolve --all --json')
    expect([0, 10], stderr).toContain(exitCode)
    const records = await listRecords(world)
    const open = records.filter(({ state }) => state === 'sending' || state === 'in-doubt')
    expect(exitCode === 0, `exit ${exitCode}, open: ${JSON.stringify(open)}`).toBe(open.length === 0)
    if (open.length === 0) return records
  }
  throw new Error('a record stays in doubt')
}

/** The amounts of a payment's refunds, at the service. */
async function refundsOf(world: World, id: string): Promise<readonly number[]> {
  return entriesAt(await readPayment(world, id), 'transactions')
    .filter((entry) => at(entry, 'transactionType') === 'REFUND')
    .map((entry) => Number(at(entry, 'amount')))
}

const sum = (amounts: readonly number[]): number => amounts.reduce((one, other) => one + other, 0)
const sorted = (amounts: readonly number[]): readonly number[] => amounts.toSorted((a, b) => a - b)

/** The ledger has exactly the refunds and captures that the service performed. */
export async function expectLedgerMatchesService(
  world: World,
  records: readonly ListedRecord[],
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
    // The test itself captured 1,000,000 to prepare a refundable payment.
    expect(captured === 1_000_000 ? captured : sum(captures), `captured of ${id}`).toBe(captured)
    if (captured === 1_000_000) expect(captures).toEqual([])
  }
}

/** The service performed at most one operation for each idempotency key. */
export async function expectKeysUsedOnce(world: World): Promise<void> {
  const { body } = await world.service.send('GET', '/sandbox/requests?limit=10000')
  const keys = entriesAt(body, 'data')
    .filter((entry) => at(entry, 'applied') === true)
    .map((entry) => at(entry, 'idempotencyKey'))
    .filter((key) => key !== undefined)
  expect(keys.length).toBeGreaterThan(0)
  expect(new Set(keys).size).toBe(keys.length)
}

/** What each process reported when it ended agrees with what the service did in the end. */
export async function expectTrueReports(
  world: World,
  results: readonly CommandResult[],
  records: readonly ListedRecord[],
): Promise<void> {
  for (const { verb, id, amount, exitCode, stderr } of results) {
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
        throw new Error(`an unexpected exit code: ${words}`)
    }
  }
}
