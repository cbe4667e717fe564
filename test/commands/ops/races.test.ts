import { expect, test } from 'vitest'
import type { FileLedger } from '../../../src/ledger/ledger.ts'
import { createOpsBench, errorIn, fieldsIn, ok } from './ops-bench.ts'

const DONE = { state: 'confirmed', exitCode: 0, note: 'It was done: another process found out.' } as const

/** Another process clears it up in the moment in which this one is about to. */
const clearedUpBefore = (ledger: FileLedger): FileLedger => ({
  ...ledger,
  reopen: async (id) => {
    await (await ledger.reopen(id)).settle(DONE)
    return ledger.reopen(id)
  },
})

/** Another process, which takes this one for dead, records how it ended. */
const endedMeanwhile = (ledger: FileLedger): FileLedger => ({
  ...ledger,
  reopen: async (id) => {
    const open = await ledger.reopen(id)
    const end = () =>
      open.settle({ state: 'rejected', exitCode: 3, note: 'It was not done: so it was found.' })
    return { ...open, settle: end, abandon: end }
  },
})

test('what another process has found out before is told', async () => {
  const bench = createOpsBench()
  const one = await bench.lostRefund('A-1')
  const single = await ok(bench.runPay(`ops resolve ${one.id} --json`, { withLedger: clearedUpBefore }))
  expect(fieldsIn(`[${single.stdout}]`)).toMatchObject([
    { id: one.id, state: 'confirmed', resolution: DONE.note },
  ])
  const other = await bench.lostRefund('A-2', 'drop-before')
  const all = await ok(bench.runPay('ops resolve --all --json', { withLedger: clearedUpBefore }))
  expect(fieldsIn(all.stdout)).toMatchObject([{ id: other.id, state: 'confirmed', resolution: DONE.note }])
})

test('what another process has recorded meanwhile is what is told', async () => {
  const bench = createOpsBench()
  const { id } = await bench.lostRefund()
  const ran = await ok(bench.runPay(`ops resolve ${id} --json`, { withLedger: endedMeanwhile }))
  expect(fieldsIn(`[${ran.stdout}]`)).toMatchObject([
    { id, state: 'rejected', resolution: 'It was not done: so it was found.' },
  ])
})

test('what was found out meanwhile is not abandoned', async () => {
  const bench = createOpsBench()
  const { id } = await bench.lostRefund()
  const ran = await bench.runPay(`ops abandon ${id} --json`, { withLedger: endedMeanwhile })
  expect(ran).toMatchObject({ exitCode: 6, stdout: '' })
  expect(errorIn(ran)).toMatchObject({ code: 'not_open' })
  expect(await bench.operation(id)).toMatchObject({ state: 'rejected' })
})
