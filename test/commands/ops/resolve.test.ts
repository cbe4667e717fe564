import { renameSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { errorOf } from '../../support/run-result.ts'
import { createOpsBench, fieldsIn, having, ok, sentBy } from './ops-bench.ts'
import type { WholeLedger } from '../../../src/client/ledger/ledger.ts'

const SEEN =
  "The payment shows an equal refund of 2026-03-01 12:00:00 UTC: yours or a colleague's, pay can't tell. Nothing was sent."

const one = (stdout: string) => fieldsIn(`[${stdout}]`)[0] ?? {}

describe('an operation in doubt', () => {
  test('that took effect is confirmed without a second effect', async () => {
    const bench = createOpsBench()
    const { id, paymentId } = await bench.lostRefund()
    const record = await bench.operation(id)
    const ran = await ok(bench.runPay(`ops resolve ${id} --json`))
    expect(one(ran.stdout)).toEqual({
      ...record,
      state: 'confirmed',
      exitCode: 0,
      resolution: SEEN,
      next: [`pay --sandbox payment get ${paymentId}`],
    })
    expect(await bench.operation(id)).toMatchObject({ state: 'confirmed', exitCode: 0 })
    expect(await bench.refunded(paymentId)).toBe(200)
    expect(ran.stderr).toBe('embedded sandbox: no real money\n')
  })

  test('that did not take effect is sent again with its key', async () => {
    const bench = createOpsBench()
    const { id, paymentId } = await bench.lostRefund('A-1', 'drop-before')
    expect(await bench.refunded(paymentId)).toBe(0)
    const { idempotencyKey } = await bench.operation(id)
    const ran = await ok(bench.runPay(`ops resolve ${id} --json`))
    const sent = ran.requests.filter(({ method }) => method === 'POST')
    expect(sent).toMatchObject([{ body: '{"amount":200}', headers: { 'x-idempotency-key': idempotencyKey } }])
    expect(one(ran.stdout)).toMatchObject({
      state: 'confirmed',
      resolution: 'It was sent again with the same idempotency key. It is done.',
    })
    expect(await bench.refunded(paymentId)).toBe(200)
  })

  test('that became impossible is rejected', async () => {
    const bench = createOpsBench()
    const { id, paymentId } = await bench.lostRefund('A-1', 'drop-before')
    bench.rewrite(
      id,
      having({ amount: 5_000, request: { params: { id: paymentId }, body: '{"amount":5000}' } }),
    )
    const ran = await ok(bench.runPay(`ops resolve ${id} --json`))
    expect(one(ran.stdout)).toMatchObject({ state: 'rejected', exitCode: 3 })
    expect(await bench.refunded(paymentId)).toBe(0)
  })

  test('is printed as a block: operation, finding and what to check', async () => {
    const bench = createOpsBench()
    const { id, paymentId } = await bench.lostRefund()
    const { stdout } = await ok(bench.runPay(`ops resolve ${id}`))
    expect(stdout).toBe(
      [
        `ID         ${id}`,
        `Operation  payment.refund of 2.00 EUR on ${paymentId}`,
        'Started    2026-03-01 12:00:00 UTC (by tester, profile sandbox)',
        'State      ✓ confirmed',
        `Found      ${SEEN}`,
        `Next       pay --sandbox payment get ${paymentId}`,
        '',
      ].join('\n'),
    )
  })

  test('that stays in doubt exits 10 with nothing on stdout and the next steps on stderr', async () => {
    const bench = createOpsBench()
    const id = await lostPoints(bench)
    const ran = await bench.runPay(`ops resolve ${id} --json`)
    expect(ran).toMatchObject({ exitCode: 10, stdout: '', requests: [] })
    expect(errorOf(ran)).toEqual({
      code: 'outcome_unknown',
      exitCode: 10,
      message: 'Still in doubt: loyalty.create of 10 points on points-1/A-1',
      hint: expect.stringContaining("check the provider's own records"),
      operation: 'loyalty.create',
      operationId: id,
      outcome: 'unknown',
      retryable: true,
      next: [`pay ops show ${id}`, `pay ops abandon ${id}`],
    })
    expect(await bench.operation(id)).toMatchObject({ state: 'in-doubt', exitCode: 10 })
  })

  test('with two explanations stays in doubt and names what to compare', async () => {
    const bench = createOpsBench()
    const create = "--sandbox payment create --token tok_visa --amount '5 EUR' --order-id A-1"
    const id = await bench.lose(create, 'POST /payments')
    await fromAnotherMachine(bench, create)
    const ran = await bench.runPay(`ops resolve ${id} --json`)
    expect(ran).toMatchObject({ exitCode: 10, stdout: '' })
    expect(errorOf(ran).hint).toMatch(/^Ambiguous\. 2 payments of the order match \(\w+, \w+\)/)
    expect(await bench.operation(id)).toMatchObject({ state: 'in-doubt' })
  })

  test('that is already finished is printed without a request', async () => {
    const bench = createOpsBench()
    const { id } = await bench.lostRefund()
    await ok(bench.runPay(`ops resolve ${id}`))
    const again = await ok(bench.runPay(`ops resolve ${id} --json`))
    expect(again.requests).toEqual([])
    expect(one(again.stdout)).toMatchObject({ state: 'confirmed', resolution: SEEN })
    const [created] = await bench.list('--operation payment.create')
    expect(
      one((await ok(bench.runPay(`ops resolve ${String(created?.['id'])} --json`))).stdout),
    ).toMatchObject({ state: 'confirmed', resolution: 'It is not in doubt: the service confirmed it.' })
  })

  test('that a process is still sending is left alone', async () => {
    const bench = createOpsBench()
    const { id } = await bench.lostRefund()
    bench.rewrite(id, sentBy(process.pid))
    const refused = await bench.runPay(`ops resolve ${id} --json`)
    expect(refused).toMatchObject({ exitCode: 6, stdout: '', requests: [] })
    expect(errorOf(refused)).toMatchObject({ code: 'in_progress', operationId: id })
  })

  test('of a killed process is resolved', async () => {
    const bench = createOpsBench()
    const { id } = await bench.lostRefund()
    bench.rewrite(id, sentBy(process.pid + 1))
    await ok(bench.runPay(`ops resolve ${id}`))
    expect(await bench.operation(id)).toMatchObject({ state: 'confirmed' })
  })
})

test.each([
  ['ops resolve', 'missing_input', 'an operation ID, or --all'],
  ['ops resolve abcd1234 --all', 'given_twice', 'not both'],
  ['ops resolve --all --sandbox --profile shop', 'account_conflict', 'different accounts'],
  ['ops resolve --all --curl', 'bad_value', '--curl'],
  ['ops resolve --all --idempotency-key k', 'bad_value', 'no idempotency key'],
  ['ops resolve --all --once T-1', 'bad_value', '--once'],
  ['ops resolve a b', 'usage', 'arguments'],
])('%s is refused', async (words, code, said) => {
  const bench = createOpsBench()
  const refused = await bench.runPay(`${words} --json`)
  expect(refused).toMatchObject({ exitCode: 2, stdout: '', requests: [] })
  expect(errorOf(refused)).toMatchObject({ code, message: expect.stringContaining(said) })
})

const lostPoints = (bench: ReturnType<typeof createOpsBench>) =>
  bench.lose(
    '--sandbox loyalty redeem --connection-id points-1 --customer-id c-1 --order-id A-1 --value 10',
    'POST /loyalty-transactions',
  )

/** Runs a command against the same service with another machine's ledger. */
async function fromAnotherMachine(bench: ReturnType<typeof createOpsBench>, words: string): Promise<void> {
  const [ours, away] = ['ledger.db', 'ledger-elsewhere'].map((name) => join(bench.stateFolder, name))
  renameSync(ours ?? '', away ?? '')
  await ok(bench.runPay(words))
  renameSync(ours ?? '', `${ours}-of-another`)
  renameSync(away ?? '', ours ?? '')
}

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
    expect(people).toMatchObject({ exitCode: 10, stdout: expect.stringContaining('? IN DOUBT') })
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
    expect(ran).toMatchObject({ requests: [], stderr: expect.stringContaining('Nothing was sent.') })
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

const DONE = { state: 'confirmed', exitCode: 0, note: 'It was done: another process found out.' } as const

/** Another process resolves the operation just before this one does. */
const resolvedBefore = (ledger: WholeLedger): WholeLedger => ({
  ...ledger,
  reopen: async (id) => {
    await (await ledger.reopen(id)).settle(DONE)
    return ledger.reopen(id)
  },
})

/** Another process believes that this one is dead, and records the outcome. */
const settledMeanwhile = (ledger: WholeLedger): WholeLedger => ({
  ...ledger,
  reopen: async (id) => {
    const open = await ledger.reopen(id)
    const end = () =>
      open.settle({ state: 'rejected', exitCode: 3, note: 'It was not done: so it was found.' })
    return { ...open, settle: end, abandon: end }
  },
})

test('reports what another process has already recorded', async () => {
  const bench = createOpsBench()
  const write = await bench.lostRefund('A-1')
  const single = await ok(bench.runPay(`ops resolve ${write.id} --json`, { withLedger: resolvedBefore }))
  expect(fieldsIn(`[${single.stdout}]`)).toMatchObject([
    { id: write.id, state: 'confirmed', resolution: DONE.note },
  ])
  const other = await bench.lostRefund('A-2', 'drop-before')
  const all = await ok(bench.runPay('ops resolve --all --json', { withLedger: resolvedBefore }))
  expect(fieldsIn(all.stdout)).toMatchObject([{ id: other.id, state: 'confirmed', resolution: DONE.note }])
})

test('reports what another process records in the meantime', async () => {
  const bench = createOpsBench()
  const { id } = await bench.lostRefund()
  const ran = await ok(bench.runPay(`ops resolve ${id} --json`, { withLedger: settledMeanwhile }))
  expect(fieldsIn(`[${ran.stdout}]`)).toMatchObject([
    { id, state: 'rejected', resolution: 'It was not done: so it was found.' },
  ])
})

test('does not abandon what another process resolves in the meantime', async () => {
  const bench = createOpsBench()
  const { id } = await bench.lostRefund()
  const ran = await bench.runPay(`ops abandon ${id} --json`, { withLedger: settledMeanwhile })
  expect(ran).toMatchObject({ exitCode: 6, stdout: '' })
  expect(errorOf(ran)).toMatchObject({ code: 'not_open' })
  expect(await bench.operation(id)).toMatchObject({ state: 'rejected' })
})
