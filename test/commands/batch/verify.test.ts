import { describe, expect, test } from 'vitest'
import { jsonAnswer } from '../../support/run-pay.ts'
import { SERVICE_ENV } from '../../support/error-envelope.ts'
import { useBatchBench } from './batch-bench.ts'

const { bench, pay, payment, plan, read, write } = useBatchBench()

const verify = async (flags = '') => {
  const ran = await pay(`batch verify in.plan.ndjson --json ${flags}`)
  const answer: unknown = ran.stdout === '' ? undefined : JSON.parse(ran.stdout)
  return { ...ran, answer }
}

describe('verifying a plan', () => {
  test('exits with 14 and lists every row while nothing was applied', async () => {
    const id = await payment('o-1')
    const { answer: planned } = await plan('refund', `paymentId,amount\n${id},500\nnope,1\n${id},300\n`)
    expect(await verify()).toMatchObject({
      exitCode: 14,
      answer: {
        planId: planned.planId,
        asPlanned: 0,
        missing: 2,
        more: 0,
        pending: 0,
        rows: [
          { row: 1, paymentId: id, state: 'missing', planned: 500, found: 0 },
          { row: 3, paymentId: id, state: 'missing', planned: 300, found: 0 },
        ],
      },
      stderr: expect.stringContaining(
        '"code":"not_as_planned","exitCode":14,"message":"2 of 2 ready rows are not as planned"',
      ),
    })
  })

  test('says that it only reads, not that no money moved', async () => {
    const id = await payment('o-1')
    await plan('refund', `paymentId,amount\n${id},500\n`)
    await pay(`payment refund ${id} --amount 800`)
    const { exitCode, stderr } = await pay('batch verify in.plan.ndjson')
    expect(exitCode).toBe(14)
    expect(stderr).toContain('State  this command only reads; it changes nothing at the service')
    expect(stderr).not.toContain('no money moved')
  })

  test('has the keys that scripts rely on, in this order', async () => {
    const id = await payment('o-1')
    await plan('refund', `paymentId,amount\n${id},500\n`)
    const answer = JSON.parse((await verify()).stdout)
    expect(Object.keys(answer)).toEqual('planId asPlanned missing more pending failedLater rows'.split(' '))
    expect(Object.keys(answer.rows[0])).toEqual(['row', 'paymentId', 'state', 'planned', 'found'])
  })

  test('lists a row a line as CSV and NDJSON', async () => {
    const id = await payment('o-1')
    await plan('refund', `paymentId,amount\n${id},500\n${id},300\n`)
    expect((await pay('batch verify in.plan.ndjson -o csv')).stdout).toBe(
      `row,paymentId,state,planned,found\n1,${id},missing,500,0\n2,${id},missing,300,0\n`,
    )
    expect((await pay('batch verify in.plan.ndjson -o ndjson')).stdout.trim().split('\n')).toHaveLength(2)
  })

  test('exits with 8 while a refund is pending, and with 0 once all is as planned', async () => {
    const id = await payment('o-1')
    await plan('refund', `paymentId,amount\n${id},500\n`)
    await pay(`payment refund ${id} --amount 500`)
    expect(await verify()).toMatchObject({
      exitCode: 8,
      answer: { asPlanned: 0, pending: 1, rows: [{ state: 'pending', found: 500 }] },
      stderr: expect.stringContaining('"code":"still_pending"'),
    })
    await pay('sandbox clock advance 1d')
    expect(await verify()).toMatchObject({
      exitCode: 0,
      answer: { asPlanned: 1, pending: 0, rows: [{ state: 'asPlanned', planned: 500, found: 500 }] },
    })
  })

  test('notices when more was refunded than planned', async () => {
    const id = await payment('o-1')
    await plan('refund', `paymentId,amount\n${id},500\n`)
    await pay(`payment refund ${id} --amount 800`)
    expect(await verify()).toMatchObject({
      exitCode: 14,
      answer: { more: 1, rows: [{ state: 'more', found: 800 }] },
    })
  })

  test('checks captures and cancellations too', async () => {
    const [one, other] = [
      await payment('o-1', { token: 'tok_visa' }),
      await payment('o-2', { token: 'tok_visa' }),
    ]
    await plan('cancel', `paymentId\n${one}\n${other}\n`)
    await pay(`payment cancel ${one}`)
    expect(await verify()).toMatchObject({
      exitCode: 14,
      answer: {
        asPlanned: 1,
        missing: 1,
        rows: [
          { state: 'asPlanned', planned: 'CANCELLED', found: 'CANCELLED' },
          { state: 'missing', planned: 'CANCELLED', found: 'AUTHORIZED' },
        ],
      },
    })
    await plan('capture', `paymentId,amount\n${other},1000\n`)
    await pay(`payment capture ${other} --amount 1000`)
    expect(await verify()).toMatchObject({ exitCode: 0, answer: { asPlanned: 1 } })
  })

  test('shows only rows that are not as planned to a person', async () => {
    const [one, other] = [await payment('o-1'), await payment('o-2')]
    await plan('refund', `paymentId,amount\n${one},500\n${other},600\n`)
    await pay(`payment refund ${one} --amount 500`)
    await pay('sandbox clock advance 1d')
    const { stdout } = await pay('batch verify in.plan.ndjson')
    expect(stdout).toContain('As planned  1')
    expect(stdout).toContain(`2     3  ${other}  o-2    missing  6.00 EUR  0.00 EUR`)
    expect(stdout).not.toContain(one)
  })

  test('counts payments that cannot be read', async () => {
    const id = await payment('o-1')
    await plan('refund', `paymentId,amount\n${id},all\n`)
    const ran = await bench().runPay('batch verify in.plan.ndjson --sandbox --json --max-retries 0', {
      service: () => jsonAnswer(503, {}),
    })
    expect(ran.exitCode).toBe(14)
    expect(JSON.parse(ran.stdout)).toMatchObject({
      unread: 1,
      rows: [{ state: 'unread', found: null, message: expect.not.stringContaining('plan the row') }],
    })
    expect(ran.stderr).toContain('1 of 1 ready row is not as planned')
  })
})

describe('what can be done about a plan that was not applied as planned', () => {
  const errorOf = ({ stderr }: { readonly stderr: string }) =>
    JSON.parse(stderr.trimEnd().split('\n').at(-1) ?? '').error

  test('is to apply it while it has rows left', async () => {
    const id = await payment('o-1')
    await plan('refund', `paymentId,amount\n${id},500\n`)
    const before = await verify()
    expect(before).toMatchObject({ exitCode: 14, answer: { missing: 1, failedLater: 0 } })
    expect(errorOf(before).next).toEqual(['pay --sandbox batch apply in.plan.ndjson'])
  })

  test('is not to apply it once a refund has failed later: that would send nothing', async () => {
    const id = await payment('o-1', { token: 'tok_refund_fails' })
    await pay(`payment capture ${id}`)
    await plan('refund', `paymentId,amount\n${id},500\n`)
    expect(await pay('batch apply in.plan.ndjson')).toMatchObject({ exitCode: 0 })
    expect(await verify()).toMatchObject({ exitCode: 8, answer: { pending: 1 } })
    await pay('sandbox clock advance 2d')
    const found = await verify()
    expect(found).toMatchObject({
      exitCode: 14,
      answer: {
        missing: 0,
        failedLater: 1,
        rows: [{ row: 1, state: 'failed_later', planned: 500, found: 0 }],
      },
    })
    expect(errorOf(found).hint).toContain('failed later: the customer has not got that money')
    expect(errorOf(found).next).toEqual([`pay --sandbox payment explain ${id}`])
    const again = await pay('batch apply in.plan.ndjson')
    expect(again.requests.filter(({ method }) => method === 'POST')).toEqual([])
    const { stdout } = await pay('batch verify in.plan.ndjson')
    expect(stdout).toContain('Failed later  1')
    expect(stdout).toContain(`${id}  o-1    failed later  5.00 EUR  0.00 EUR`)
  })

  test('is to look at the payment if the rows that are missing are skipped', async () => {
    const id = await payment('o-1')
    await plan('refund', `paymentId,amount\n${id},500\n`)
    await pay(`payment refund ${id} --amount 100`)
    expect(await pay('batch apply in.plan.ndjson')).toMatchObject({ exitCode: 14 })
    const found = await verify()
    expect(found).toMatchObject({ exitCode: 14, answer: { missing: 1, failedLater: 0 } })
    expect(errorOf(found).next).toEqual([`pay --sandbox payment explain ${id}`])
  })
})

describe('verifying is refused', () => {
  test('for a plan of another account, with nothing read', async () => {
    const id = await payment('o-1')
    await plan('refund', `paymentId,amount\n${id},all\n`)
    const ran = await bench().runPay('batch verify in.plan.ndjson --json', {
      env: SERVICE_ENV,
      service: () => jsonAnswer(200, {}),
    })
    expect(ran).toMatchObject({ exitCode: 2, requests: [] })
    expect(ran.stderr).toContain('"code":"plan_foreign"')
  })

  test('for a plan that was changed', async () => {
    const id = await payment('o-1')
    await plan('refund', `paymentId,amount\n${id},500\n`)
    write('in.plan.ndjson', read('in.plan.ndjson').replace('"amount":500', '"amount":600'))
    expect(await verify()).toMatchObject({
      exitCode: 2,
      requests: [],
      stderr: expect.stringContaining('"code":"plan_changed"'),
    })
  })

  test('without a plan', async () => {
    expect(await pay('batch verify --json')).toMatchObject({ exitCode: 2 })
    expect(await pay('batch verify no.plan.ndjson --json')).toMatchObject({
      exitCode: 2,
      stderr: expect.stringContaining('there is no such file'),
    })
  })
})
