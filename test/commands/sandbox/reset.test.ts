import { describe, expect, test } from 'vitest'
import { createOpsBench, having, ok, sentBy } from '../ops/ops-bench.ts'

describe('a reset', () => {
  test('abandons operations in doubt in the sandbox', async () => {
    const bench = createOpsBench()
    const { id } = await bench.lostRefund()
    const reset = await ok(bench.runPay('sandbox reset --json'))
    expect(JSON.parse(reset.stdout)).toMatchObject({ reset: true, abandoned: [id] })
    expect(await bench.operation(id)).toMatchObject({ state: 'abandoned', reason: 'the sandbox was emptied' })
    expect((await bench.runPay('ops list --state in-doubt --json')).stdout.trim()).toBe('[]')
  })

  test('tells people what it abandoned', async () => {
    const bench = createOpsBench()
    await bench.lostRefund()
    const lines = (await ok(bench.runPay('sandbox reset'))).stdout.trim().split('\n')
    expect(lines.slice(1)).toEqual(['Abandoned 1 operation in doubt: the data to check is gone.'])
    expect((await ok(bench.runPay('sandbox reset'))).stdout).not.toContain('abandoned')
  })

  test('keeps operations of other accounts and those still being sent', async () => {
    const bench = createOpsBench()
    const [elsewhere, sending] = [await bench.lostRefund('A-1'), await bench.lostRefund('A-2')]
    bench.rewrite(elsewhere.id, having({ profile: 'shop' }))
    bench.rewrite(sending.id, sentBy(process.pid))
    expect(JSON.parse((await ok(bench.runPay('sandbox reset --json'))).stdout)).toMatchObject({
      abandoned: [],
    })
    expect(await bench.operation(elsewhere.id)).toMatchObject({ state: 'in-doubt' })
    expect(await bench.operation(sending.id)).toMatchObject({ state: 'sending' })
  })

  test('abandons nothing when it resets another folder', async () => {
    const bench = createOpsBench()
    const { id } = await bench.lostRefund()
    const reset = await ok(bench.runPay('sandbox reset --data other'))
    expect(reset.stdout.trim().split('\n')).toHaveLength(1)
    expect(await bench.operation(id)).toMatchObject({ state: 'in-doubt' })
  })

  test('skips operations that another process is resolving or has resolved', async () => {
    const bench = createOpsBench()
    const { id } = await bench.lostRefund()
    const reset = await ok(
      bench.runPay('sandbox reset --json', {
        withLedger: (ledger) => ({
          ...ledger,
          reopen: async (one) => {
            await ledger.reopen(one)
            return ledger.reopen(one)
          },
        }),
      }),
    )
    expect(JSON.parse(reset.stdout)).toMatchObject({ abandoned: [] })
    expect(await bench.operation(id)).toMatchObject({ state: 'sending' })
  })
})
