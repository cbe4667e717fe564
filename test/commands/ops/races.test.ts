import { expect, test } from 'vitest'
import type { WholeLedger } from '../../../src/client/ledger/ledger.ts'
import { errorOf } from '../../support/run-result.ts'
import { createOpsBench, fieldsIn, ok } from './ops-bench.ts'

const DONE = { state: 'confirmed', exitCode: 0, note: 'It was done: another process found out.' } as const

/** Another process resolves the operation just before this one does. */
const resolvedBefore = (ledger: WholeLedger): WholeLedger => ({
  ...ledger,
  reopen: async (id) => {
    await (await ledger.reopen(id)).settle(DONE)
    return ledger.reopen(id)
  },
})

/** Another process believes that this one is dead, and records the outcome. */
const settledMeanwhile = (ledger: WholeLedger): WholeLedger => ({
  ...ledger,
  reopen: async (id) => {
    const open = await ledger.reopen(id)
    const end = () =>
      open.settle({ state: 'rejected', exitCode: 3, note: 'It was not done: so it was found.' })
    return { ...open, settle: end, abandon: end }
  },
})

test('reports what another process has already recorded', async () => {
  const bench = createOpsBench()
  const one = await bench.lostRefund('A-1')
  const single = await ok(bench.runPay(`ops resolve ${one.id} --json`, { withLedger: resolvedBefore }))
  expect(fieldsIn(`[${single.stdout}]`)).toMatchObject([
    { id: one.id, state: 'confirmed', resolution: DONE.note },
  ])
  const other = await bench.lostRefund('A-2', 'drop-before')
  const all = await ok(bench.runPay('ops resolve --all --json', { withLedger: resolvedBefore }))
  expect(fieldsIn(all.stdout)).toMatchObject([{ id: other.id, state: 'confirmed', resolution: DONE.note }])
})

test('reports what another process records in the meantime', async () => {
  const bench = createOpsBench()
  const { id } = await bench.lostRefund()
  const ran = await ok(bench.runPay(`ops resolve ${id} --json`, { withLedger: settledMeanwhile }))
  expect(fieldsIn(`[${ran.stdout}]`)).toMatchObject([
    { id, state: 'rejected', resolution: 'It was not done: so it was found.' },
  ])
})

test('does not abandon what another process resolves in the meantime', async () => {
  const bench = createOpsBench()
  const { id } = await bench.lostRefund()
  const ran = await bench.runPay(`ops abandon ${id} --json`, { withLedger: settledMeanwhile })
  expect(ran).toMatchObject({ exitCode: 6, stdout: '' })
  expect(errorOf(ran)).toMatchObject({ code: 'not_open' })
  expect(await bench.operation(id)).toMatchObject({ state: 'rejected' })
})
