import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { useBench } from '../../support/use-bench.ts'

const bench = useBench()

const ids = async (): Promise<string> => (await bench.runPay('--sandbox payment list --all -o id')).stdout

describe('a made-up shop', () => {
  test('is served from its folder, where that is not the one of pay --sandbox', async () => {
    const folder = join(bench.stateFolder, 'another')
    const ran = await bench.runPay(['sandbox', 'seed', '--payments', '5', '--data', folder])
    expect(ran.stdout).toContain(`Try: pay sandbox start --data ${folder}`)
    expect(ran.stdout).not.toContain('pay --sandbox')
  })

  test('has 200 payments of the 30 days before the sandbox clock', async () => {
    const ran = await bench.runPay('sandbox seed --json')
    expect(JSON.parse(ran.stdout)).toMatchObject({
      payments: 200,
      days: 30,
      seed: 7,
      from: '2026-01-30T12:00:00.000Z',
      to: '2026-03-01T12:00:00.000Z',
    })
    expect((await ids()).trim().split('\n')).toHaveLength(200)
  })

  test('ends at a sandbox clock that was moved', async () => {
    await bench.runPay('sandbox clock advance 10d')
    const ran = await bench.runPay('sandbox seed --payments 5 --days 1 --json')
    expect(JSON.parse(ran.stdout)).toMatchObject({
      from: '2026-03-10T12:00:00.000Z',
      to: '2026-03-11T12:00:00.000Z',
    })
  })

  test('is refused where there are payments, and replaces them with --reset', async () => {
    await bench.runPay('sandbox seed --payments 5')
    const before = await ids()
    const refused = await bench.runPay('sandbox seed --payments 5 --seed 8')
    expect(refused).toMatchObject({ exitCode: 6, stdout: '', stderr: expect.stringContaining('--reset') })
    expect(await ids()).toBe(before)
    expect(await bench.runPay('sandbox seed --payments 5 --seed 8 --reset')).toMatchObject({ exitCode: 0 })
    expect(await ids()).not.toBe(before)
    await bench.runPay('sandbox seed --payments 5 --reset')
    expect(await ids()).toBe(before)
  })

  test.each(['--payments 0', '--payments 1000001', '--days 0', '--days 3651', '--seed -1', '--seed x'])(
    '%s is a usage error',
    async (flags) => {
      expect(await bench.runPay(`sandbox seed ${flags}`)).toMatchObject({ exitCode: 2, stdout: '' })
      expect(await ids()).toBe('')
    },
  )
})
