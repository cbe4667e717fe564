import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { batchesFolder, openRunRows } from '../../../src/batch/apply/run-rows.ts'
import { useBatchBench } from './batch-bench.ts'

const FIGURES = { status: 'SETTLED', amount: 1_000, amountCaptured: 1_000, amountRefunded: 0 }

const { bench, pay, payment, plan, write } = useBatchBench()

const list = async (flags = '--json') => {
  const { stdout } = await bench().runPay(`batch list ${flags}`)
  return flags === '--json' ? JSON.parse(stdout) : stdout
}
const passHours = (hours: number) => {
  bench().clock.now = new Date(bench().clock.now.getTime() + hours * 60 * 60 * 1000)
}

const readyRow = (row: number) => ({ row, line: row + 1, paymentId: 'p1', figures: FIGURES })

/** Records outcomes as applying the plan would. */
async function begin(rows: readonly number[]): Promise<void> {
  const [{ plan: path, planId, operation, createdAt, ready }] = await list()
  const run = openRunRows(batchesFolder(bench().stateFolder), {
    plan: path,
    planId,
    operation,
    createdAt,
    ready,
  })
  for (const row of rows) run.note(readyRow(row), { outcome: 'done' })
  run.close()
}

describe('the list of plans', () => {
  test('is empty at first', async () => {
    expect(await list()).toEqual([])
    expect(await list('')).toBe('No plans on this machine. pay batch plan makes one.\n')
  })

  test('names each plan with its progress, newest first', async () => {
    const id = await payment('o-1')
    const first = await plan('refund', `paymentId,amount\n${id},500\n${id},600\n`)
    passHours(1)
    write('b.csv', `paymentId,amount\n${id},all\n`)
    await pay('batch plan refund b.csv --again')
    expect(await list()).toEqual([
      expect.objectContaining({
        plan: join(bench().folder, 'b.plan.ndjson'),
        createdAt: '2026-03-01T13:00:00.000Z',
      }),
      {
        plan: join(bench().folder, 'in.plan.ndjson'),
        planId: first.answer.planId,
        operation: 'refund',
        createdAt: '2026-03-01T12:00:00.000Z',
        ready: 2,
        done: 0,
        left: 2,
        state: 'planned',
      },
    ])
    expect(await list('')).toMatch(/in\.plan\.ndjson +refund +\S+ \S+ UTC +2 +0 +2 +planned/)
    expect(await list('-o id')).toContain(first.answer.planId)
  })

  test('says which plans are running, done or expired', async () => {
    const id = await payment('o-1')
    await plan('refund', `paymentId,amount\n${id},500\n${id},600\n`)
    passHours(24)
    expect(await list()).toMatchObject([{ state: 'planned' }])
    bench().clock.now = new Date(bench().clock.now.getTime() + 1)
    expect(await list()).toMatchObject([{ state: 'expired', left: 2 }])
    await begin([1])
    expect(await list()).toMatchObject([{ state: 'running', done: 1, left: 1 }])
    await begin([2])
    expect(await list()).toMatchObject([{ state: 'done', done: 2, left: 0 }])
  })

  test('names a plan in place of the one that it replaced', async () => {
    const id = await payment('o-1')
    await plan('refund', `paymentId,amount\n${id},all\n`)
    const { answer } = await plan('refund', `paymentId,amount\n${id},all\n`)
    expect(await list()).toMatchObject([{ planId: answer.planId }])
  })

  test('forgets a plan without its file, unless it was begun', async () => {
    const id = await payment('o-1')
    await plan('refund', `paymentId,amount\n${id},500\n${id},600\n`)
    await begin([1])
    rmSync(join(bench().folder, 'in.plan.ndjson'))
    expect(await list()).toMatchObject([{ state: 'running' }])
    write('b.csv', `paymentId,amount\n${id},all\n`)
    await pay('batch plan refund b.csv')
    rmSync(join(bench().folder, 'b.plan.ndjson'))
    expect(await list()).toMatchObject([{ state: 'running' }])
  })
})

describe('planning again', () => {
  test('refuses to replace a plan that was begun and is not done', async () => {
    const id = await payment('o-1')
    const csv = `paymentId,amount\n${id},500\n${id},600\n`
    await plan('refund', csv)
    await begin([1])
    const ran = await pay('batch plan refund in.csv --json')
    expect(ran).toMatchObject({ exitCode: 2, stdout: '', requests: [] })
    expect(ran.stderr).toContain('"code":"plan_begun"')
    expect(ran.stderr).toContain('1 of 2 ready rows is done')
    await begin([2])
    expect((await plan('refund', csv)).stderr).toContain('which is done')
  })
})
