import { describe, expect, test } from 'vitest'
import { createOpsBench, fieldsIn, ok } from './ops-bench.ts'
import type { OpsBench } from './ops-bench.ts'

const COLUMNS =
  'outcome,operation,orderId,target,amount,currencyCode,money,reason,user,host,createdAt,endedAt,profile,mode,baseUrl,planId,plannedBy,approvedBy,operationId,idempotencyKey,note'

async function report(bench: OpsBench, flags = '') {
  const ran = await bench.runPay(`--sandbox ops report --json ${flags}`)
  const answer: Readonly<Record<string, unknown>> = JSON.parse(ran.stdout)
  return { ...ran, answer, rows: fieldsIn(JSON.stringify(answer['rows'])) }
}

const refund = (bench: OpsBench, id: string, amount: number, reason: string) =>
  bench.runPay(['--sandbox', 'payment', 'refund', id, '--amount', String(amount), '--reason', reason])

/** A refund that is done, one that fails later, one that is refused, and the payments that they are on. */
async function night() {
  const bench = createOpsBench()
  const id = await bench.payment('A-1')
  const failing = await createFailing(bench)
  await ok(refund(bench, id, 200, 'late parcel'))
  await ok(refund(bench, failing, 300, 'broken heel'))
  expect((await refund(bench, id, 90_000, 'typo')).exitCode).toBe(3)
  await ok(bench.runPay('sandbox clock advance 2h'))
  return { bench, id, failing }
}

async function createFailing(bench: OpsBench): Promise<string> {
  const created = await ok(
    bench.runPay("--sandbox payment create --token tok_refund_fails --amount '10 EUR' --order-id A-2 -o id"),
  )
  const id = created.stdout.trim()
  await ok(bench.runPay(`--sandbox payment capture ${id} --amount 1000`))
  return id
}

describe('a report', () => {
  test('says what was done, by whom, for which order and why, with totals by operation and currency', async () => {
    const { bench } = await night()
    const { exitCode, answer, rows } = await report(bench)
    expect(exitCode).toBe(0)
    expect(
      rows.map(({ outcome, operation, orderId, money, reason }) => [
        outcome,
        operation,
        orderId,
        money,
        reason,
      ]),
    ).toEqual([
      ['failed', 'payment.refund', 'A-1', '900.00 EUR', 'typo'],
      ['done', 'payment.create', 'A-1', '10.00 EUR', null],
      ['done', 'payment.create', 'A-2', '10.00 EUR', null],
      ['done', 'payment.capture', 'A-2', '10.00 EUR', null],
      ['done', 'payment.refund', 'A-1', '2.00 EUR', 'late parcel'],
      ['done', 'payment.refund', 'A-2', '3.00 EUR', 'broken heel'],
    ])
    expect(rows[0]).toMatchObject({ user: 'tester', host: 'test-machine', profile: 'sandbox', mode: 'test' })
    expect(answer).toMatchObject({
      checked: false,
      ledger: 'this machine only',
      counts: { done: 5, failed: 1 },
    })
    expect(answer['totals']).toContainEqual({
      operation: 'payment.refund',
      currencyCode: 'EUR',
      mode: 'test',
      count: 2,
      amount: 500,
      unknownAmounts: 0,
    })
  })

  test('--check puts what failed later first and takes it out of the totals', async () => {
    const { bench, failing } = await night()
    const { exitCode, answer, rows } = await report(bench, '--check')
    expect(exitCode).toBe(0)
    expect(rows[0]).toMatchObject({ outcome: 'failed_later', target: failing, reason: 'broken heel' })
    expect(answer['totals']).toContainEqual(
      expect.objectContaining({ operation: 'payment.refund', count: 1, amount: 200 }),
    )
  })

  test('lists what is open first, however old it is, and is exit 10 then', async () => {
    const bench = createOpsBench()
    const { id } = await bench.lostRefund('A-1')
    bench.clock.now = new Date(bench.clock.now.getTime() + 3 * 24 * 3_600_000)
    await bench.payment('A-3')
    const { exitCode, rows, stderr } = await report(bench)
    expect(exitCode).toBe(10)
    expect(rows.map(({ outcome, operationId }) => [outcome, operationId])).toEqual([
      ['open', id],
      ['done', expect.anything()],
    ])
    expect(stderr).toContain('ops resolve --all')
    await ok(bench.runPay('--sandbox ops resolve --all'))
    expect(await report(bench)).toMatchObject({ exitCode: 0 })
  })

  test('as CSV has the same columns whatever it lists', async () => {
    const empty = await createOpsBench().runPay('ops report -o csv')
    expect(empty.stdout).toBe(`${COLUMNS}\n`)
    const { bench } = await night()
    const [header, ...lines] = (await bench.runPay('ops report -o csv')).stdout.trimEnd().split('\n')
    expect(header).toBe(COLUMNS)
    expect(lines).toHaveLength(6)
    expect(lines[4]).toMatch(
      /^done,payment\.refund,A-1,\w+,200,EUR,2\.00 EUR,late parcel,tester,test-machine,/,
    )
  })

  test('as a table has a section for each outcome, and the period in its head', async () => {
    const { bench } = await night()
    const { stdout } = await bench.runPay('ops report')
    expect(stdout).toMatch(/^Report +2026-03-01 00:00:00 UTC to 2026-03-01 12:00:00 UTC\n/)
    expect(stdout).toContain('Failed: declined or refused, nothing changed (1)\n')
    expect(stdout).toContain('\n\nDone (5)\n')
    expect(stdout).toMatch(/\npayment\.refund +test +2 +5\.00 EUR/)
  })

  test('tells points that were taken from points that were returned, in rows and totals', async () => {
    const bench = createOpsBench()
    const points = '--connection-id points-1 --customer-id c-1 --order-id A-1 --value'
    await ok(bench.runPay(`--sandbox loyalty redeem ${points} 500`))
    await ok(bench.runPay(`--sandbox loyalty refund ${points} 450 --reason typo`))
    const { answer, rows } = await report(bench)
    expect(rows.map(({ amount, money }) => [amount, money])).toEqual([
      [500, '500 points'],
      [-450, '450 points returned'],
    ])
    expect(answer['totals']).toMatchObject([
      { operation: 'loyalty.create', count: 1, amount: 500 },
      { operation: 'loyalty.create', count: 1, amount: -450 },
    ])
    const { stdout } = await bench.runPay('ops report')
    expect(stdout).toMatch(/\nloyalty\.create +test +1 +500 points\n.* 450 points returned$/m)
  })

  test('in a narrow terminal keeps orders and reasons, and names one person in the head', async () => {
    const { bench } = await night()
    const { stdout } = await bench.runPay('ops report --color never', { tty: true, columns: 80 })
    expect(stdout).toMatch(/\nBy +tester@test-machine\n/)
    expect(stdout).toMatch(/\nWHEN +OPERATION +ORDER +TARGET +AMOUNT +ID +REASON\n/)
    expect(stdout).toMatch(/\nrefund +test +2 +5\.00 EUR/)
  })

  test('knows what a refund of all that was left gave back', async () => {
    const bench = createOpsBench()
    const id = await bench.payment('A-1')
    await ok(bench.runPay(`--sandbox payment refund ${id}`))
    expect((await report(bench)).rows.at(-1)).toMatchObject({ amount: 1000, money: '10.00 EUR' })
  })

  test('leaves out writes to an earlier sandbox', async () => {
    const { bench } = await night()
    await ok(bench.runPay('sandbox reset --yes'))
    const { rows, stderr } = await report(bench)
    expect(rows).toEqual([])
    expect(stderr).toContain('Left out: 6 writes to an earlier sandbox.')
  })
})
