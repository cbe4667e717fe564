import { describe, expect, test } from 'vitest'
import { SERVICE_ENV } from '../../support/error-envelope.ts'
import { jsonAnswer } from '../../support/run-pay.ts'
import { useBench } from '../../support/use-bench.ts'
import { errorOf } from '../../support/run-result.ts'

const bench = useBench()

const create = async (): Promise<string> => {
  const line =
    '--sandbox payment create --token tok_autocapture --amount 4990 --currency EUR --order-id O-1 -o id'
  return (await bench.runPay(line)).stdout.trim()
}
const push = () =>
  bench.runPay(
    '--sandbox observability push --payment-id ext-1 --amount 700 --currency EUR --processor ACME --created-at 2026-01-31T09:30:00Z --order-id E-1 --payment-method-type PAYMENT_CARD',
  )

describe('observability get', () => {
  test('shows the record of a payment with its amounts', async () => {
    const id = await create()
    await bench.runPay(`--sandbox payment refund ${id} --amount 990`)
    const { exitCode, stdout } = await bench.runPay(`--sandbox observability get ${id}`)
    expect(exitCode).toBe(0)
    expect(stdout).toMatch(new RegExp(`^Payment +${id}$`, 'm'))
    expect(stdout).toMatch(/Captured +49\.90 EUR\nRefunded +9\.90 EUR\nSource +payments/)
  })

  test('shows an external record, and only its id with -o id', async () => {
    await push()
    const { stdout } = await bench.runPay('--sandbox observability get ext-1 --json')
    expect(JSON.parse(stdout)).toMatchObject({ paymentId: 'ext-1', source: 'external', amount: 700 })
    expect((await bench.runPay('--sandbox obs get ext-1 -o id')).stdout).toBe('ext-1\n')
  })

  test('exits 5 for an unknown record', async () => {
    const result = await bench.runPay('--sandbox observability get none --json')
    expect(result).toMatchObject({ exitCode: 5, stdout: '' })
    expect(errorOf(result)).toMatchObject({ code: 'not_found', errorId: 'EntityNotFound', outcome: 'none' })
  })
})

describe('observability list', () => {
  test('shows payments and external records together', async () => {
    const id = await create()
    await push()
    const { stdout } = await bench.runPay('--sandbox observability list -o csv')
    const [head, ...rows] = stdout.trim().split('\n')
    expect(head).toBe(
      'paymentId,status,order.id,currencyCode,amount,createdAt,processor.name,paymentMethod.paymentMethodType,source,amountAuthorized,amountCaptured,amountRefunded',
    )
    expect(rows.map((row) => [row.split(',')[0], row.split(',')[8]])).toEqual([
      [id, 'payments'],
      ['ext-1', 'external'],
    ])
    expect((await bench.runPay('--sandbox observability list --order-id E-1 -o id')).stdout).toBe('ext-1\n')
  })

  test('reads as many pages as needed', async () => {
    for (let count = 0; count < 3; count += 1) await create()
    await push()
    const result = await bench.runPay('--sandbox observability list --limit 3 -o id')
    expect(result.stdout.trim().split('\n')).toHaveLength(3)
    expect(
      (await bench.runPay('--sandbox observability list --all -o id')).stdout.trim().split('\n'),
    ).toHaveLength(4)
  })

  test('says so if there are none', async () => {
    expect((await bench.runPay('--sandbox observability list')).stdout).toBe('No records found.\n')
  })
})

describe('a service that cannot read records', () => {
  test.each([
    ['get ext-1', 404],
    ['list', 404],
    ['list', 405],
  ])('is named in the error: %s with status %s', async (words, status) => {
    const service = () =>
      jsonAnswer(status, { error: { errorId: 'NotFound', description: 'No such route.' } })
    const result = await bench.runPay(`observability ${words} --json`, { env: SERVICE_ENV, service })
    expect(result).toMatchObject({ exitCode: 5, stdout: '' })
    expect(errorOf(result)).toMatchObject({
      code: 'unsupported_by_service',
      httpStatus: status,
      hint: expect.stringContaining('pay payment list'),
    })
  })

  test('is distinguished from an unknown record', async () => {
    const service = () => jsonAnswer(404, { error: { errorId: 'EntityNotFound', description: 'None.' } })
    const result = await bench.runPay('observability get ext-1 --json', { env: SERVICE_ENV, service })
    expect(result.stderr).toContain('"code":"not_found"')
  })
})
