import { describe, expect, test } from 'vitest'
import { createOpsBench, fieldsIn, ok, sentBy } from './ops-bench.ts'

const one = (stdout: string) => fieldsIn(`[${stdout}]`)[0] ?? {}

describe('--dry-run', () => {
  test('prints what would be done and changes nothing', async () => {
    const bench = createOpsBench()
    const { id } = await bench.lostRefund()
    const points = await lostPoints(bench)
    const create = await bench.lose(
      "--sandbox payment create --token tok_visa --amount '5 EUR' --order-id A-9",
      'POST /payments',
    )
    const before = bench.records()
    const ran = await ok(bench.runPay('ops resolve --all --dry-run --json'))
    expect(ran.requests).toEqual([])
    expect(ran.stderr).toContain('Nothing was sent.')
    const plans = new Map(fieldsIn(ran.stdout).map((plan) => [plan['id'], plan]))
    expect(plans.get(id)).toMatchObject({
      state: 'in-doubt',
      resolution: expect.stringContaining('send the same request again with the same key'),
    })
    expect(plans.get(points)).toMatchObject({ resolution: expect.stringContaining('check it yourself') })
    expect(plans.get(create)).toMatchObject({
      resolution: expect.stringContaining("Would read the order's payments"),
    })
    expect(bench.records()).toEqual(before)
    const alone = await ok(bench.runPay(`ops resolve ${id} -n --json`))
    expect(one(alone.stdout)).toEqual(plans.get(id))
    expect(await bench.list('--state in-doubt')).toHaveLength(3)
  })

  test('names operations that would be skipped', async () => {
    const bench = createOpsBench()
    const { id } = await bench.lostRefund()
    bench.rewrite(id, sentBy(process.pid))
    const ran = await ok(bench.runPay('ops resolve --all --dry-run --json'))
    expect(fieldsIn(ran.stdout)).toMatchObject([
      { id, resolution: expect.stringContaining('leave it alone') },
    ])
  })
})

const lostPoints = (bench: ReturnType<typeof createOpsBench>) =>
  bench.lose(
    '--sandbox loyalty redeem --connection-id points-1 --customer-id c-1 --order-id A-1 --value 10',
    'POST /loyalty-transactions',
  )
