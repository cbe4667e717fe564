import { describe, expect, test } from 'vitest'
import { errorOf } from '../../support/run-result.ts'
import { createOpsBench, fieldsIn, ok, sentBy } from './ops-bench.ts'

describe('--all', () => {
  test('says so if nothing is in doubt', async () => {
    const bench = createOpsBench()
    expect(await bench.runPay('ops resolve --all')).toMatchObject({
      exitCode: 0,
      stdout: 'Nothing is in doubt.\n',
      stderr: '',
      requests: [],
    })
    expect(await bench.runPay('ops resolve --all --json')).toMatchObject({ exitCode: 0, stdout: '[]\n' })
  })

  test('resolves each operation, oldest first, and mentions the sandbox once', async () => {
    const bench = createOpsBench()
    const first = await bench.lostRefund('A-1')
    bench.clock.now = new Date('2026-03-01T12:30:00.000Z')
    const second = await bench.lostRefund('A-2', 'drop-before')
    const ran = await ok(bench.runPay('ops resolve --all --json'))
    expect(fieldsIn(ran.stdout).map(({ id, state }) => [id, state])).toEqual([
      [first.id, 'confirmed'],
      [second.id, 'confirmed'],
    ])
    for (const { paymentId } of [first, second]) expect(await bench.refunded(paymentId)).toBe(200)
    expect(ran.stderr).toBe('embedded sandbox: no real money\n')
  })

  test('prints all of them and exits 10 if some stay in doubt', async () => {
    const bench = createOpsBench()
    const { id } = await bench.lostRefund()
    bench.clock.now = new Date('2026-03-01T12:30:00.000Z')
    const points = await lostPoints(bench)
    const ran = await bench.runPay('ops resolve --all --json')
    expect(ran.exitCode).toBe(10)
    expect(fieldsIn(ran.stdout).map((record) => [record['id'], record['state']])).toEqual([
      [id, 'confirmed'],
      [points, 'in-doubt'],
    ])
    expect(errorOf(ran)).toMatchObject({
      code: 'outcome_unknown',
      exitCode: 10,
      message: 'Some outcomes are unknown: 1 of 2 is still in doubt',
      outcome: 'unknown',
      next: ['pay ops list --state in-doubt', `pay ops show ${points}`],
    })
    const people = await bench.runPay('ops resolve --all')
    expect(people.exitCode).toBe(10)
    expect(people.stdout).toContain('? IN DOUBT')
    expect(people.stderr).toContain('✗ Some outcomes are unknown: 1 of 1 is still in doubt')
  })

  test('leaves operations alone that a process is still sending, and exits 10 while they are open', async () => {
    const bench = createOpsBench()
    const { id } = await bench.lostRefund('A-1')
    const other = await bench.lostRefund('A-2')
    bench.rewrite(id, sentBy(process.pid))
    const ran = await bench.runPay('ops resolve --all --json')
    expect(ran.exitCode).toBe(10)
    expect(fieldsIn(ran.stdout).map((record) => [record['id'], record['state']])).toEqual([
      [other.id, 'confirmed'],
      [id, 'sending'],
    ])
    expect(errorOf(ran)).toMatchObject({
      message: 'Some outcomes are unknown: 1 of 2 is still open',
      next: ['pay ops list --state in-doubt,sending', `pay ops show ${id}`],
    })
    expect((await bench.runPay('ops resolve --all')).stdout).toContain('is in progress')
  })

  test('reports an unreadable record, resolves the others and exits 6', async () => {
    const bench = createOpsBench()
    const { id } = await bench.lostRefund('A-1')
    const other = await bench.lostRefund('A-2')
    bench.damage(id)
    const ran = await bench.runPay('ops resolve --all --json')
    expect(ran.exitCode).toBe(6)
    expect(fieldsIn(ran.stdout)).toMatchObject([{ id: other.id, state: 'confirmed' }])
    expect(errorOf(ran)).toMatchObject({
      code: 'ledger_damaged',
      message: `Some outcomes are unknown: ${id} is damaged`,
      outcome: 'unknown',
      retryable: false,
      next: [`pay ops abandon ${id}`],
    })
  })

  test('reports a damaged record of a write that has ended, and exits 6', async () => {
    const bench = createOpsBench()
    const { id } = await bench.lostRefund('A-1')
    await ok(bench.runPay('ops resolve --all'))
    bench.damage(id)
    const ran = await bench.runPay('ops resolve --all --json')
    expect(ran).toMatchObject({ exitCode: 6, stdout: '[]\n' })
    expect(errorOf(ran)).toMatchObject({ code: 'ledger_damaged', next: [`pay ops abandon ${id}`] })
    await ok(bench.runPay(`ops abandon ${id} --yes`))
    await ok(bench.runPay('ops resolve --all'))
  })

  test('resolves only the operations of the given profile', async () => {
    const bench = createOpsBench()
    const { id } = await bench.lostRefund()
    expect((await ok(bench.runPay('ops resolve --all --profile shop --json'))).stdout).toBe('[]\n')
    expect(fieldsIn((await ok(bench.runPay('--sandbox ops resolve --all --json'))).stdout)).toMatchObject([
      { id },
    ])
  })

  test('stops at Ctrl-C and leaves the rest unchanged', async () => {
    const bench = createOpsBench()
    const first = await bench.lostRefund('A-1', 'drop-before')
    bench.clock.now = new Date('2026-03-01T12:30:00.000Z')
    const second = await bench.lostRefund('A-2', 'drop-before')
    const stop = new AbortController()
    const signal = stop.signal
    stop.abort('SIGINT')
    const ran = await bench.runPay('ops resolve --all --json', { signal })
    expect(ran).toMatchObject({ exitCode: 10, requests: [] })
    expect(fieldsIn(ran.stdout)).toMatchObject([
      { id: first.id, state: 'in-doubt', resolution: 'Interrupted before it was checked.' },
      { id: second.id, state: 'in-doubt', resolution: 'Interrupted before it was checked.' },
    ])
    await ok(bench.runPay('ops resolve --all'))
  })

  test.each([
    ['ndjson', (text: string) => fieldsIn(`[${text.trim().split('\n').join(',')}]`).length],
    ['csv', (text: string) => text.trim().split('\n').length - 1],
    ['id', (text: string) => text.trim().split('\n').length],
    ['yaml', (text: string) => text.match(/^- id: /gm)?.length],
  ])('as %s', async (format, count) => {
    const bench = createOpsBench()
    await bench.lostRefund('A-1')
    await bench.lostRefund('A-2')
    const ran = await ok(bench.runPay(`ops resolve --all -o ${format}`))
    expect(count(ran.stdout)).toBe(2)
  })
})

const lostPoints = (bench: ReturnType<typeof createOpsBench>) =>
  bench.lose(
    '--sandbox loyalty redeem --connection-id points-1 --customer-id c-1 --order-id A-1 --value 10',
    'POST /loyalty-transactions',
  )
