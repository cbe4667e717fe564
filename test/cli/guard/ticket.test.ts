import { describe, expect, test } from 'vitest'
import { jsonAnswer } from '../../support/run-pay.ts'
import { errorOf, writesOf } from '../../support/run-result.ts'
import { ENV, PAYMENT, TOKEN, keyOf, useTickets } from './ticket-bench.ts'

const USED = { error: { errorId: 'IdempotencyKeyAlreadyExists', description: 'used', paymentId: 'p1' } }

const { bench, refund, forgetLedger } = useTickets()

/** Makes a captured payment in the sandbox. */
async function settledPayment(): Promise<string> {
  const made = await bench.runPay(
    "--sandbox payment create --token tok_autocapture --amount '10.00 EUR' --order-id A-1 -o id",
  )
  return made.stdout.trim()
}

describe('a used ticket', () => {
  test('sends nothing and shows the payment without its token', async () => {
    expect((await refund('--once T-1')).exitCode).toBe(0)
    const again = await refund('--once T-1 --json')
    expect(again).toMatchObject({ exitCode: 6, stdout: '' })
    expect(writesOf(again)).toEqual([])
    expect(errorOf(again)).toMatchObject({
      code: 'already_done',
      exitCode: 6,
      outcome: 'none',
      retryable: false,
    })
    const [shown = ''] = again.stderr.split('\n')
    expect(JSON.parse(shown)).toEqual({
      ...PAYMENT,
      paymentMethod: { ...PAYMENT.paymentMethod, paymentMethodToken: '[redacted]' },
    })
  })

  test('of an old abandoned write sends nothing, because the service may have forgotten its key', async () => {
    const lost = await refund('--once T-1 --json --max-retries 0', { service: () => jsonAnswer(503, {}) })
    expect(lost.exitCode).toBe(10)
    const { operationId } = errorOf(lost)
    expect((await bench.runPay(`ops abandon ${operationId} --yes`)).exitCode).toBe(0)
    bench.clock.now = new Date(bench.clock.now.getTime() + 24 * 60 * 60_000)
    for (const more of ['', ' --again']) {
      const again = await refund(`--once T-1 --json${more}`)
      expect(again).toMatchObject({ exitCode: 6, requests: [] })
      expect(errorOf(again)).toMatchObject({ code: 'ticket_abandoned', operationId, outcome: 'none' })
    }
    expect((await refund('--once T-2')).exitCode).toBe(0)
  })

  test('of a write abandoned recently is sent with the same key', async () => {
    const lost = await refund('--once T-1 --json --max-retries 0', { service: () => jsonAnswer(503, {}) })
    const { operationId } = errorOf(lost)
    await bench.runPay(`ops abandon ${operationId} --yes`)
    expect(keyOf(await refund('--once T-1'))).toBe(keyOf(lost))
  })

  test('is not resolved with a key that an abandoned write used 23 hours before', async () => {
    const later = (hours: number) => {
      bench.clock.now = new Date(bench.clock.now.getTime() + hours * 60 * 60_000)
    }
    const lose = () => refund('--once T-1 --json --max-retries 0', { service: () => jsonAnswer(503, {}) })
    await bench.runPay(`ops abandon ${errorOf(await lose()).operationId} --yes`)
    later(22)
    const { operationId } = errorOf(await lose())
    later(2)
    const resolved = await bench.runPay(`ops resolve ${operationId} --yes`, {
      env: ENV,
      service: () => jsonAnswer(200, { ...PAYMENT, id: 'p1' }),
    })
    expect(resolved.exitCode).toBe(10)
    expect(resolved.stdout + resolved.stderr).toContain('too old to be sent again')
    expect(writesOf(resolved)).toEqual([])
  })

  test('shows a person the view of the command', async () => {
    await refund('--once T-1')
    bench.clock.now = new Date(bench.clock.now.getTime() + 3 * 60_000)
    const again = await refund('--once T-1 -q')
    expect(again).toMatchObject({ exitCode: 6, stdout: '', stderr: expect.stringContaining('•••• 1111') })
    expect(again.stderr).toContain(
      'Already done for this ticket 3 minutes ago by tester (a refund of 3.00 EUR on payment p1): nothing was sent',
    )
    expect(again.stderr).not.toContain(TOKEN)
  })

  test('is known after a year, when the service has forgotten the key', async () => {
    await refund('--once T-1')
    bench.clock.now = new Date('2027-04-01T00:00:00Z')
    const again = await refund('--once T-1')
    expect(again.exitCode).toBe(6)
    expect(writesOf(again)).toEqual([])
  })

  test('stays used with --yes and --again, without a question', async () => {
    await refund('--once T-1')
    for (const words of ['--yes', '--again']) {
      const again = await refund(`--once T-1 ${words}`, { tty: true })
      expect(again).toMatchObject({ exitCode: 6, questions: [] })
      expect(writesOf(again)).toEqual([])
    }
  })

  test('on another machine is refused by the service', async () => {
    const id = await settledPayment()
    const line = `--sandbox payment refund ${id} --amount 300 --once T-1 --json`
    expect((await bench.runPay(line)).exitCode).toBe(0)
    forgetLedger()
    const again = await bench.runPay(line)
    expect(again).toMatchObject({ exitCode: 6, stdout: '' })
    expect(errorOf(again)).toMatchObject({
      code: 'already_done',
      httpStatus: 409,
      errorId: 'IdempotencyKeyAlreadyExists',
    })
    const [, shown = ''] = again.stderr.split('\n')
    expect(JSON.parse(shown)).toMatchObject({ id, processor: { amountRefunded: 300 } })
    const listed = JSON.parse((await bench.runPay('ops list --json')).stdout)
    expect(listed).toMatchObject([{ operation: 'payment.refund', state: 'rejected', exitCode: 6 }])
  })

  test('of a created payment shows that payment', async () => {
    const create =
      '--sandbox payment create --token tok_visa --amount 500 --currency EUR --order-id A-9 --once T-1'
    const made = await bench.runPay(`${create} -o id`)
    expect(made.exitCode).toBe(0)
    const known = await bench.runPay(`${create} --json`)
    forgetLedger()
    const unknown = await bench.runPay(`${create} --json`)
    for (const again of [known, unknown]) {
      expect(again.exitCode).toBe(6)
      expect(JSON.parse(again.stderr.split('\n').find((line) => line.startsWith('{')) ?? '')).toMatchObject({
        id: made.stdout.trim(),
      })
    }
  })

  test('is reported even if the payment cannot be read', async () => {
    await refund('--once T-1')
    const again = await refund('--once T-1 --json --max-retries 0', { service: () => jsonAnswer(503, {}) })
    expect(again.exitCode).toBe(6)
    expect(again.stderr.trim().split('\n')).toHaveLength(1)
    expect(errorOf(again)).toMatchObject({ code: 'already_done' })
  })

  test('of a declined payment says so, and that a new attempt needs a new ticket', async () => {
    const create =
      '--sandbox payment create --token tok_declined --amount 500 --currency EUR --order-id A-9 --once T-1'
    expect((await bench.runPay(create)).exitCode).toBe(13)
    const again = await bench.runPay(create)
    expect(again.exitCode).toBe(6)
    expect(again.stderr).toContain('To try again, use another ticket')
  })

  test('that a retry of the same command finds is success, exit 0', async () => {
    const lost = await refund('--once T-1 --json', {
      service: ({ method }, at) =>
        method === 'GET'
          ? jsonAnswer(200, { ...PAYMENT, processor: { amountRefunded: 300 } })
          : at === 1
            ? jsonAnswer(502, {})
            : jsonAnswer(409, USED),
    })
    expect(lost.exitCode).toBe(0)
    expect(new Set(writesOf(lost).map(({ headers }) => headers['x-idempotency-key'])).size).toBe(1)
  })

  test('whose call was refused may be used again', async () => {
    const refused = await refund('--once T-1', {
      service: () => jsonAnswer(422, { error: { errorId: 'UnprocessableRefundAmount' } }),
    })
    expect(refused.exitCode).toBe(3)
    expect((await refund('--once T-1')).exitCode).toBe(0)
  })
})

test('another ticket repeats the write without a question', async () => {
  await refund('--once T-1', { tty: true })
  expect(await refund('--once T-2', { tty: true })).toMatchObject({ exitCode: 0, questions: [] })
})

test('a 409 for a key given with --idempotency-key is not a used ticket', async () => {
  const used = await refund('--idempotency-key mine --json', { service: () => jsonAnswer(409, USED) })
  expect(errorOf(used)).toMatchObject({ code: 'idempotency_key_used', paymentId: 'p1' })
  expect(errorOf(used)).not.toHaveProperty('paymentStatus')
})
