import { describe, expect, test } from 'vitest'
import { useBatchBench } from './batch-bench.ts'

const { bench, payment, plan, read, write } = useBatchBench()

const show = (flags: string) => bench().runPay(`batch show in.plan.ndjson ${flags}`)

async function planOfThree() {
  const id = await payment('o-1')
  return { id, ...(await plan('refund', `paymentId,amount,ticket\n${id},500,T-1\nnope,1,\n${id},500,\n`)) }
}

describe('showing a plan', () => {
  test('prints its facts, counts and rows as JSON, without a profile and without the account', async () => {
    const { id, answer } = await planOfThree()
    const ran = await show('--json')
    expect(ran).toMatchObject({ exitCode: 0, requests: [] })
    expect(JSON.parse(ran.stdout)).toEqual({
      plan: 'in.plan.ndjson',
      planId: answer.planId,
      operation: 'refund',
      profile: 'sandbox',
      mode: 'test',
      baseUrl: 'http://sandbox.localhost',
      planner: 'tester@test-machine',
      createdAt: '2026-03-01T12:00:00.000Z',
      approvals: { needed: 0, given: [], plannerSigned: false, uncounted: [] },
      input: 'in.csv',
      rows: 3,
      ready: 1,
      refused: 2,
      totals: [{ currencyCode: 'EUR', count: 1, amount: 500 }],
      verdicts: { not_found: 1, possible_duplicate: 1, ready: 1 },
      digest: answer.digest,
      data: [
        expect.objectContaining({ row: 1, verdict: 'ready', paymentId: id, amount: 500, ticket: 'T-1' }),
        expect.objectContaining({ row: 2, verdict: 'not_found', paymentId: 'nope' }),
        expect.objectContaining({ row: 3, verdict: 'possible_duplicate' }),
      ],
    })
  })

  test('prints a row per line as NDJSON and CSV, and the payments as IDs', async () => {
    const { id } = await planOfThree()
    const ndjson = (await show('-o ndjson')).stdout.trimEnd().split('\n')
    expect(ndjson.map((line) => JSON.parse(line))).toEqual([
      expect.objectContaining({ row: 1 }),
      expect.objectContaining({ row: 2 }),
      expect.objectContaining({ row: 3 }),
    ])
    const [header, first] = (await show('-o csv')).stdout.split('\n')
    expect(header).toBe('row,paymentId,orderId,verdict,amount,currencyCode,ticket,reason,message,line,cells')
    expect(first).toBe(
      `1,${id},o-1,ready,500,EUR,T-1,,,2,"{""paymentId"":""${id}"",""amount"":""500"",""ticket"":""T-1""}"`,
    )
    expect((await show('-o id --verdict ready')).stdout).toBe(`${id}\n`)
    expect((await show('-o yaml')).stdout).toContain('verdict: possible_duplicate')
  })

  test('filters by verdict, repeatedly or separated by commas', async () => {
    await planOfThree()
    const rowsOf = async (flags: string) =>
      (await show(`-o ndjson ${flags}`)).stdout
        .trimEnd()
        .split('\n')
        .map((line) => String(JSON.parse(line).row))
    expect(await rowsOf('--verdict not_found')).toEqual(['2'])
    expect(await rowsOf('--verdict not_found --verdict ready')).toEqual(['1', '2'])
    expect(await rowsOf('--verdict possible_duplicate,ready')).toEqual(['1', '3'])
    expect((await show('--verdict over_limit')).stdout).toContain('No rows.')
  })

  test('shows a table to a person', async () => {
    const { id } = await planOfThree()
    const { stdout } = await show('')
    expect(stdout).toContain('Operation  refund')
    expect(stdout).toContain('3: 1 ready, 2 not ready')
    expect(stdout).toContain('5.00 EUR in 1 row')
    expect(stdout).toMatch(new RegExp(`1 +2 +${id} +o-1 +5\\.00 EUR +T-1 +ready`))
  })

  test('refuses an unknown verdict and a plan that was changed', async () => {
    await planOfThree()
    expect(await show('--verdict reddy --json')).toMatchObject({
      exitCode: 2,
      stdout: '',
      stderr: expect.stringContaining('Did you mean ready?'),
    })
    write('in.plan.ndjson', read('in.plan.ndjson').replace('T-1', 'T-2'))
    expect(await show('--json')).toMatchObject({
      exitCode: 2,
      stdout: '',
      stderr: expect.stringContaining('"code":"plan_changed"'),
    })
  })
})
