import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { openSandbox } from '../../../src/sandbox/sandbox.ts'
import { errorOf } from '../../support/run-result.ts'
import { createOpsBench, ok } from './ops-bench.ts'
import type { OpsBench } from './ops-bench.ts'

const SEED = 'sandbox seed --seed 7 --payments 20 --reset'

const settled = async (bench: OpsBench) =>
  (await ok(bench.runPay('--sandbox payment list --status SETTLED --limit 1 -o id'))).stdout.trim()

/** A bench whose sandbox was seeded twice: the payment has the ID of one that was refunded before. */
async function seededAgain(refund: string) {
  const bench = createOpsBench()
  await ok(bench.runPay(SEED))
  const id = await settled(bench)
  const run = (words: string) => bench.runPay(`--sandbox ${words.replace('ID', id)}`)
  await ok(run(refund))
  await ok(bench.runPay(SEED))
  expect(await settled(bench)).toBe(id)
  return { bench, id, run }
}

/** A refund that is in doubt in a sandbox that was then emptied over HTTP, which abandons nothing. */
async function lostBefore() {
  const bench = createOpsBench()
  const { id, paymentId } = await bench.lostRefund()
  const sandbox = await openSandbox({
    folder: `${bench.stateFolder}/sandbox`,
    now: () => bench.clock.now,
    random: Math.random,
  })
  await sandbox.reset()
  await sandbox.close()
  return { bench, id, paymentId }
}

describe('writes to an earlier sandbox', () => {
  test('are no part of an explanation', async () => {
    const { run } = await seededAgain('payment refund ID --amount 100')
    expect((await ok(run('payment explain ID'))).stdout).not.toContain('confirmed')
  })

  test('make no later write a repeat', async () => {
    const { bench, id, run } = await seededAgain('payment refund ID --amount 100')
    const again = await bench.runPay(`--sandbox payment refund ${id} --amount 100`, { answers: {} })
    expect(again).toMatchObject({ exitCode: 0, questions: [] })
    expect((await run('payment refund ID --amount 50 --once T1')).exitCode).toBe(0)
  })

  test('use up no ticket', async () => {
    const { run } = await seededAgain('payment refund ID --amount 100 --once T1')
    expect(await run('payment refund ID --amount 100 --once T1')).toMatchObject({ exitCode: 0 })
    expect(await run('payment refund ID --amount 100 --once T1')).toMatchObject({ exitCode: 6 })
  })

  test('are not verified', async () => {
    const { run } = await seededAgain('payment refund ID --amount 100')
    const verified = await run('ops verify --json')
    expect(verified).toMatchObject({ exitCode: 0 })
    expect(JSON.parse(verified.stdout)).toMatchObject({ checked: 0 })
    expect(verified.stderr).toContain('Left out: 1 write of other accounts or earlier sandboxes.')
  })

  test('are listed as such', async () => {
    const { bench, run } = await seededAgain('payment refund ID --amount 100')
    await ok(run('payment refund ID --amount 200'))
    const table = (await bench.runPay('ops list')).stdout
    expect(table).toMatch(/✓ confirmed .*\n.*✓ earlier sandbox/)
    const [latest, before] = await bench.list()
    expect(latest).not.toHaveProperty('earlierSandbox')
    expect(before).toMatchObject({ earlierSandbox: true, state: 'confirmed' })
    const shown = await bench.runPay(`ops show ${String(before?.['id'])}`)
    expect(shown.stdout).toMatch(/http:\/\/sandbox\.localhost \(an earlier sandbox\)/)
  })

  test('in doubt block nothing, and are left alone', async () => {
    const { bench, id } = await lostBefore()
    expect((await bench.runPay('')).stdout).not.toContain('in doubt')
    expect(await bench.runPay('ops resolve --all')).toMatchObject({ exitCode: 0, requests: [] })
    expect((await bench.runPay('doctor')).stdout).not.toContain('outcome unknown')
    const resolved = await bench.runPay(`ops resolve ${id} --json`)
    expect(resolved).toMatchObject({ exitCode: 10, requests: [] })
    expect(errorOf(resolved)).toMatchObject({ code: 'earlier_sandbox', next: [`pay ops abandon ${id}`] })
    const planned = await bench.runPay(`ops resolve ${id} --dry-run`)
    expect(planned.stdout).toContain('an earlier sandbox')
    expect(await bench.runPay(`ops abandon ${id}`)).toMatchObject({ exitCode: 0 })
  })

  test('planned as a batch are refused', async () => {
    const bench = createOpsBench()
    await ok(bench.runPay(SEED))
    writeFileSync(join(bench.folder, 'r.csv'), `paymentId,amount\n${await settled(bench)},100\n`)
    await ok(
      bench.runPay(
        '--sandbox batch plan refund r.csv --amounts minor --currency EUR'.replace(' --currency EUR', ''),
      ),
    )
    await ok(bench.runPay(SEED))
    const applied = await bench.runPay('--sandbox batch apply r.plan.ndjson --yes --json')
    expect(applied).toMatchObject({ exitCode: 2 })
    expect(errorOf(applied)).toMatchObject({
      code: 'plan_foreign',
      message: 'r.plan.ndjson was planned for an earlier sandbox, whose payments are gone',
    })
  })
})

test('a write that meets a reset is not sent', async () => {
  const { bench, id } = await seededAgain('payment get ID')
  const refunded = await bench.runPay(`--sandbox payment refund ${id} --amount 100 --json`, {
    withLedger: (ledger) => ({
      ...ledger,
      begin: async (...intent) => {
        const begun = await ledger.begin(...intent)
        await ok(bench.runPay(SEED))
        return begun
      },
    }),
  })
  expect(refunded).toMatchObject({ exitCode: 6 })
  expect(refunded.stderr).toContain('Another process has emptied the sandbox meanwhile')
  expect(await bench.refunded(id)).toBe(0)
  expect(await bench.list('--operation payment.refund')).toMatchObject([{ state: 'rejected' }])
})
