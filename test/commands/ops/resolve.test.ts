import { renameSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { errorOf } from '../../support/run-result.ts'
import { createOpsBench, fieldsIn, having, ok, sentBy } from './ops-bench.ts'

const SEEN =
  "The payment shows an equal refund of 2026-03-01T12:00:00.000000: yours or a colleague's, pay can't tell. Nothing was sent."

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
    expect(one(again.stdout)).toMatchObject({
      state: 'confirmed',
      resolution: SEEN,
    })
    const [created] = await bench.list('--operation payment.create')
    expect(
      one((await ok(bench.runPay(`ops resolve ${String(created?.['id'])} --json`))).stdout),
    ).toMatchObject({
      state: 'confirmed',
      resolution: 'It is not in doubt: the service confirmed it.',
    })
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
