import { describe, expect, test } from 'vitest'
import { SERVICE_ENV } from '../../support/error-envelope.ts'
import { jsonAnswer } from '../../support/run-pay.ts'
import { useBench } from '../../support/use-bench.ts'
import { errorOf, writesOf } from '../../support/run-result.ts'
import { PAID, REFUND, listing } from './order-listing.ts'

const bench = useBench()

describe('an uncertain search sends nothing', () => {
  test('a payment without an order id', async () => {
    const found = await bench.runPay(REFUND, listing([{ id: 'p1', status: 'SETTLED' }]))
    expect(found).toMatchObject({ exitCode: 2, stderr: expect.stringContaining('does not name that order') })
    expect(writesOf(found)).toEqual([])
  })

  test.each([
    ['a payment without an id', { data: [{ orderId: 'A-1' }] }],
    ['no list', { id: 'p1' }],
    ['pages that repeat', { data: [PAID], nextCursor: 'same' }],
  ])('%s', async (_, answer) => {
    const found = await bench.runPay(REFUND, { env: SERVICE_ENV, service: () => jsonAnswer(200, answer) })
    expect(found).toMatchObject({ exitCode: 11, stdout: '' })
    expect(writesOf(found)).toEqual([])
  })

  test('a payment whose amount is not a number is listed with the others', async () => {
    const found = await bench.runPay(REFUND, listing([PAID, { ...PAID, id: 'p2', amount: 'x' }]))
    expect(found.exitCode).toBe(2)
    expect(found.stderr).toMatch(/^p2 /m)
  })

  test('a page that fails', async () => {
    const found = await bench.runPay(`${REFUND} --max-retries 0`, {
      env: SERVICE_ENV,
      service: (_, attempt) =>
        attempt === 1 ? jsonAnswer(200, { data: [PAID], nextCursor: 'n' }) : jsonAnswer(503, {}),
    })
    expect(found).toMatchObject({ exitCode: 11, stdout: '' })
    expect(writesOf(found)).toEqual([])
  })

  test('a key without the scope to list payments', async () => {
    const found = await bench.runPay(`${REFUND} --json`, {
      env: SERVICE_ENV,
      service: () => jsonAnswer(403, { error: { errorId: 'Forbidden', description: 'payments:read' } }),
    })
    expect(found.exitCode).toBe(4)
    expect(errorOf(found)).toMatchObject({
      code: 'forbidden',
      hint: expect.stringContaining('Use the payment ID instead'),
    })
  })
})

test.each([
  ['payment refund p1 --order A-1', 'Give ID or --order, not both'],
  ['payment capture p1 --order A-1', 'Give ID or --order, not both'],
  ['payment refund', 'Missing: ID (or --order)'],
  ['payment refund --order A-1 --amount zero', '--amount'],
  ['payment refund --order A-1 --set amount=x', 'amount'],
  ["payment refund --order ''", '--order is empty'],
])('refused before any search: %s', async (words, message) => {
  const refused = await bench.runPay(words, listing([PAID]))
  expect(refused).toMatchObject({ exitCode: 2, stdout: '', requests: [] })
  expect(refused.stderr).toContain(message)
})

describe('--dry-run and --curl do not search', () => {
  test('a dry run shows a placeholder for the id and says that the order was not checked', async () => {
    const shown = await bench.runPay('--sandbox payment refund --order ORD-77 --amount 300 --dry-run --json')
    expect(shown).toMatchObject({ exitCode: 0, requests: [] })
    expect(JSON.parse(shown.stdout)).toMatchObject({
      method: 'POST',
      url: 'http://sandbox.localhost/payments/{id}/refund',
      body: { amount: 300 },
      unchecked: ['which one --order ORD-77 names'],
    })
    expect(shown.stderr).toContain(
      'Not checked, because that needs the service: which one --order ORD-77 names.',
    )
  })

  test('a curl line has a variable for the id', async () => {
    const shown = await bench.runPay('--sandbox payment refund --order ORD-77 --amount 300 --curl')
    expect(shown).toMatchObject({ exitCode: 0, requests: [] })
    expect(shown.stdout).toContain(`/payments/'"$ID"'/refund'`)
  })

  test("a ticket's key depends on the payment: a dry run omits it, and --curl is refused", async () => {
    const words = '--sandbox payment refund --order ORD-77 --amount 300 --once T-1'
    const shown = await bench.runPay(`${words} --dry-run --json`)
    expect(shown.exitCode).toBe(0)
    expect(shown.stdout).not.toContain('x-idempotency-key')
    expect(shown.stdout).toContain('the idempotency key, which depends on that and on the ticket')
    expect(await bench.runPay(`${words} --curl`)).toMatchObject({ exitCode: 2, stdout: '' })
  })
})
