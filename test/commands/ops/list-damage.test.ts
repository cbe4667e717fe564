import { appendFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { createOpsBench, fieldsIn, ok } from './ops-bench.ts'

/** Three writes on three days: a payment, a refund in doubt, a session. */
async function threeDays() {
  const bench = createOpsBench()
  const { id, paymentId } = await bench.lostRefund('A-1')
  bench.clock.now = new Date('2026-03-02T12:00:00.000Z')
  await ok(bench.runPay('--sandbox session create --order-id A-2 --amount 500 --currency EUR'))
  bench.clock.now = new Date('2026-03-03T12:00:00.000Z')
  const refused = await bench.runPay(`--sandbox payment cancel ${paymentId}`)
  expect(refused.exitCode, refused.stderr).toBe(6)
  return { bench, id, paymentId }
}

describe('a damaged ledger', () => {
  test('is reported, even with --quiet, and the other records are listed', async () => {
    const { bench, id } = await threeDays()
    const path = bench.rewriteOpen(id, () => '{"id":"')
    appendFileSync(join(bench.stateFolder, 'ledger', 'history-2026-03.ndjson'), '{"id":"cut\nnothing\n')
    const ran = await bench.runPay('ops list -q --json')
    expect(ran.exitCode).toBe(0)
    expect(fieldsIn(ran.stdout)).toHaveLength(2)
    expect(ran.stderr).toContain(path)
    expect(ran.stderr).toContain(`pay ops abandon ${id}`)
    expect(ran.stderr).toContain('2 lines of the history are damaged: ')
  })

  test('loses a record that was cut short before sending, with a warning', async () => {
    const { bench } = await threeDays()
    writeFileSync(join(bench.openFolder, `new-${process.pid + 1}-op-9`), '{"id":"op-9","opera')
    const first = await ok(bench.runPay('ops list --json'))
    expect(first.stderr).toContain('Removed 1 record that a crash had cut short')
    expect((await ok(bench.runPay('ops list'))).stderr).toBe('')
  })

  test('is named if it is a file instead of a folder', async () => {
    const bench = createOpsBench()
    writeFileSync(join(bench.stateFolder, 'ledger'), 'not a folder')
    const refused = await bench.runPay('ops list')
    expect(refused).toMatchObject({ exitCode: 2, stdout: '' })
    expect(refused.stderr).toContain('ledger')
  })
})
