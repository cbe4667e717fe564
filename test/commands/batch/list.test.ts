import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { batchesFolder, openRunRows } from '../../../src/rows/batch/apply/run-rows.ts'
import { registerPlan } from '../../../src/rows/batch/file/registry.ts'
import { lockFile } from '../../../src/store/file-lock.ts'
import type { RunOptions } from '../../support/run-pay.ts'
import { useBatchBench } from './batch-bench.ts'

const FIGURES = { status: 'SETTLED', amount: 1_000, amountCaptured: 1_000, amountRefunded: 0 }

const { bench, pay, payment, plan, read, write } = useBatchBench()

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

/** What another process does while the payments are read. */
const meanwhile = (act: () => unknown): RunOptions => {
  let isFirst = true
  return {
    withLedger: (ledger) => ({
      ...ledger,
      list: async (which) => {
        if (isFirst) await act()
        isFirst = false
        return ledger.list(which)
      },
    }),
  }
}

describe('planning again', () => {
  test('refuses to replace a plan that was begun meanwhile', async () => {
    const id = await payment('o-1')
    await plan('refund', `paymentId,amount\n${id},500\n${id},600\n`)
    const before = read('in.plan.ndjson')
    const ran = await pay(
      'batch plan refund in.csv --json',
      meanwhile(() => begin([1])),
    )
    expect(ran).toMatchObject({ exitCode: 2, stdout: '' })
    expect(ran.stderr).toContain('"code":"plan_begun"')
    expect(read('in.plan.ndjson')).toBe(before)
  })

  test('refuses to replace a plan that another process applies', async () => {
    const id = await payment('o-1')
    const { answer } = await plan('refund', `paymentId,amount\n${id},500\n`)
    const before = read('in.plan.ndjson')
    const folder = batchesFolder(bench().stateFolder)
    const release = lockFile(join(folder, `${answer.planId}.lock`))
    const ran = await pay('batch plan refund in.csv --json')
    release?.()
    expect(ran).toMatchObject({ exitCode: 6, stdout: '' })
    expect(ran.stderr).toContain('"code":"batch_running"')
    expect(read('in.plan.ndjson')).toBe(before)
  })

  test('names and lists the plan that was there last', async () => {
    const id = await payment('o-1')
    const csv = `paymentId,amount\n${id},500\n`
    await plan('refund', csv)
    passHours(1)
    const last = await plan(
      'refund',
      csv,
      '',
      meanwhile(() => plan('refund', csv).then(() => passHours(1))),
    )
    expect(last.stderr).toContain('Replaced the plan in.plan.ndjson of 2026-03-01 13:00 UTC')
    expect(await list()).toMatchObject([{ planId: last.answer.planId, state: 'planned' }])
  })

  test('lists the plan that is in the file, in whatever order they are recorded', async () => {
    const id = await payment('o-1')
    const { answer } = await plan('refund', `paymentId,amount\n${id},500\n`)
    const [{ plan: path, operation, createdAt, ready }] = await list()
    const late = { planId: 'late', plan: path, operation, createdAt, ready }
    registerPlan(batchesFolder(bench().stateFolder), late, undefined)
    expect(await list()).toMatchObject([{ planId: answer.planId }])
  })

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
