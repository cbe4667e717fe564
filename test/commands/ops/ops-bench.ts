import { onTestFinished } from 'vitest'
import type { Entry } from '../../../src/client/ledger/entry.ts'
import type { StoredRecord } from '../../../src/client/ledger/record.ts'
import { changeEntry, damage, recordsIn } from '../../support/ledger-rows.ts'
import { createBench } from '../../support/run-pay.ts'
import type { Bench, RunResult } from '../../support/run-pay.ts'
import { errorOf } from '../../support/run-result.ts'

type Fields = Readonly<Record<string, unknown>>

/** A bench with the real sandbox and ledger that can lose responses. */
export interface OpsBench extends Bench {
  /** Creates a captured payment and returns its id. */
  readonly payment: (orderId: string) => Promise<string>
  /** Runs the command while responses of that path are lost. Returns the id of the operation in doubt. */
  readonly lose: (words: string, on: string, kind?: string) => Promise<string>
  /** Makes a refund of 2.00 EUR whose response is lost. */
  readonly lostRefund: (
    orderId?: string,
    kind?: string,
  ) => Promise<{ readonly id: string; readonly paymentId: string }>
  /** The records that `ops list` prints with these arguments. */
  readonly list: (words?: string) => Promise<readonly Fields[]>
  /** The record with that id. */
  readonly operation: (id: string) => Promise<Fields>
  /** The refunded amount of the payment, read from the service. */
  readonly refunded: (paymentId: string) => Promise<unknown>
  /** Changes a record, as another process would. */
  readonly rewrite: (id: string, change: (entry: Entry) => Entry) => void
  /** Changes a record as damage would: its checksum doesn't match. */
  readonly damage: (id: string) => void
  /** Everything in the ledger, without the turns. */
  readonly records: () => readonly StoredRecord[]
}

const REFUND_PATH = 'POST /payments/*/refund'

export function createOpsBench(): OpsBench {
  const bench = createBench()
  onTestFinished(bench.dispose)
  const { runPay } = bench
  const payment = async (orderId: string) =>
    (
      await ok(
        runPay(
          `--sandbox payment create --token tok_autocapture --amount '10.00 EUR' --order-id ${orderId} -o id`,
        ),
      )
    ).stdout.trim()
  const list = async (words = '') => fieldsIn((await ok(runPay(`ops list --json ${words}`))).stdout)
  const lose = async (words: string, on: string, kind = 'drop-after') => {
    await ok(runPay(['sandbox', 'faults', 'add', '--on', on, '--do', kind]))
    const lost = await runPay(`${words} --max-retries 0 --json`)
    await ok(runPay('sandbox faults clear'))
    if (lost.exitCode !== 10) throw new Error(`not in doubt: ${lost.exitCode} ${lost.stderr}`)
    return String(errorOf(lost).operationId)
  }
  return {
    ...bench,
    payment,
    lose,
    list,
    lostRefund: async (orderId = 'A-1', kind) => {
      const paymentId = await payment(orderId)
      const words = `--sandbox payment refund ${paymentId} --amount '2.00 EUR'`
      return { paymentId, id: await lose(words, REFUND_PATH, kind) }
    },
    operation: async (id) => {
      const found = (await list()).find((record) => record['id'] === id)
      if (found === undefined) throw new Error(`not recorded: ${id}`)
      return found
    },
    refunded: async (paymentId) => {
      const read = await ok(runPay(`--sandbox payment get ${paymentId} --query processor.amountRefunded`))
      const amount: unknown = JSON.parse(read.stdout)
      return amount
    },
    rewrite: (id, change) => changeEntry(bench.stateFolder, id, change),
    damage: (id) => damage(bench.stateFolder, id),
    records: () => recordsIn(bench.stateFolder),
  }
}

/** With other fields in its record. */
export const having =
  (fields: Partial<StoredRecord>) =>
  (entry: Entry): Entry => ({ ...entry, record: { ...entry.record, ...fields } })

/** As it is while its process is sending. */
export const sentBy =
  (pid: number, startedAt: string | null = '1') =>
  (entry: Entry): Entry => ({
    ...having({ state: 'sending' })(entry),
    owner: { pid, startedAt: startedAt ?? undefined, machine: 'test-machine' },
  })

/** The objects of a JSON array. */
export function fieldsIn(json: string): readonly Fields[] {
  const parsed: unknown = JSON.parse(json)
  if (!Array.isArray(parsed)) throw new Error(`no list: ${json}`)
  const entries: readonly unknown[] = parsed
  return entries.filter(isFields)
}

export const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

export async function ok(running: Promise<RunResult>): Promise<RunResult> {
  const ran = await running
  if (ran.exitCode !== 0) throw new Error(`${ran.exitCode}: ${ran.stderr}`)
  return ran
}

/** Three writes on three days: a payment, a refund in doubt, a session. */
export async function threeDays() {
  const bench = createOpsBench()
  const { id, paymentId } = await bench.lostRefund('A-1')
  bench.clock.now = new Date('2026-03-02T12:00:00.000Z')
  await ok(bench.runPay('--sandbox session create --order-id A-2 --amount 500 --currency EUR'))
  bench.clock.now = new Date('2026-03-03T12:00:00.000Z')
  const refused = await bench.runPay(`--sandbox payment cancel ${paymentId}`)
  if (refused.exitCode !== 6) throw new Error(refused.stderr)
  return { bench, id, paymentId }
}
