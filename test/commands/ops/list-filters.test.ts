import { describe, expect, test } from 'vitest'
import { createOpsBench, ok, threeDays } from './ops-bench.ts'
import { SERVICE_ENV } from '../../support/error-envelope.ts'
import { jsonAnswer } from '../../support/run-pay.ts'

describe('filters', () => {
  test('select by state, operation, day, target and profile', async () => {
    const { bench } = await threeDays()
    for (const [words, operations] of [
      ['--state in-doubt', ['payment.refund']],
      ['--state in-doubt,rejected', ['payment.refund']],
      ['--state confirmed', ['session.create', 'payment.create']],
      ['--operation session.create,payment.create', ['session.create', 'payment.create']],
      ['--operation api', []],
      ['--from 2026-03-02', ['session.create']],
      ['--to 2026-03-01', ['payment.refund', 'payment.create']],
      ['--from today', []],
      ['--from yesterday --to yesterday', ['session.create']],
      ['--from 3d', ['session.create', 'payment.refund', 'payment.create']],
      ['--from 2026-03-01T12:00:00Z --to 2026-03-01T13:00:00+01:00', ['payment.refund', 'payment.create']],
      ['--from 2026-03-01T12:00:01Z --to 2026-03-02T11:59:59Z', []],
      ['--target A-1', ['payment.create']],
      ['--target a-1', []],
      ['--state confirmed --operation payment.refund', []],
      ['--sandbox', ['session.create', 'payment.refund', 'payment.create']],
      ['--profile sandbox', ['session.create', 'payment.refund', 'payment.create']],
      ['--profile shop', []],
    ] as const)
      expect(
        (await bench.list(words)).map(({ operation }) => operation),
        words,
      ).toEqual(operations)
  })

  test('--target finds the operations on a payment or a token', async () => {
    const bench = createOpsBench()
    const { paymentId } = await bench.lostRefund()
    await ok(bench.runPay('--sandbox instrument vault tok_visa --customer-id c-1'))
    expect(await bench.list(`--target ${paymentId}`)).toHaveLength(1)
    const [vault] = await bench.list('--target tok_visa')
    expect(vault).toMatchObject({ operation: 'instrument.vault' })
    expect(vault?.['target']).toMatch(/^sha256:[\da-f]{64}$/)
    expect((await bench.runPay('ops list --target tok_visa')).stdout).toMatch(/ sha256:[\da-f]{8}… /)
  })

  test('the current profile is not a filter', async () => {
    const { bench } = await threeDays()
    for (const env of [{ PAY_PROFILE: 'shop' }, SERVICE_ENV])
      expect((await ok(bench.runPay('ops list -o id', { env }))).stdout.trim().split('\n')).toHaveLength(3)
  })

  test('an account from the environment has no profile', async () => {
    const bench = createOpsBench()
    const service = () => jsonAnswer(200, { clientToken: 't' })
    await ok(bench.runPay('session create --order-id A-1', { env: SERVICE_ENV, service }))
    expect(await bench.list()).toMatchObject([{ profile: null, operation: 'session.create' }])
  })

  test.each([
    ['--state indoubt', 'Did you mean in-doubt?'],
    ['--state in-doubt,', '--state takes sending, in-doubt, confirmed, rejected or abandoned, not ""'],
    ['--operation payment.refnd', 'Did you mean payment.refund?'],
    ['--operation payment.get', 'not "payment.get"'],
    ['--from tomorrow', '--from takes a day'],
    ['--to 2026-02-31', '--to'],
    ['--from 2026-03-02 --to 2026-03-01', '--from is after --to'],
    ["--target ''", '--target is empty'],
    ['--sandbox --profile shop', 'different accounts'],
    ['--limit 5', 'no flag --limit'],
    ['--dry-run', '--dry-run'],
    ['--once T-1', '--once'],
  ])('%s is refused', async (words, said) => {
    const bench = createOpsBench()
    const refused = await bench.runPay(`ops list ${words}`)
    expect(refused).toMatchObject({ exitCode: 2, stdout: '' })
    expect(refused.stderr).toContain(said)
  })
})
