import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { SERVICE_ENV } from '../../support/error-envelope.ts'
import { createBench, jsonAnswer } from '../../support/run-pay.ts'
import type { Bench, RunOptions } from '../../support/run-pay.ts'

let bench: Bench

beforeEach(() => {
  bench = createBench()
})

afterEach(() => {
  bench.dispose()
})

const errorOf = (stderr: string): Record<string, unknown> => {
  const line: { error: Record<string, unknown> } = JSON.parse(stderr.trim().split('\n').at(-1) ?? '')
  return line.error
}

const writes = ({ requests }: { readonly requests: readonly { method: string }[] }) =>
  requests.filter(({ method }) => method !== 'GET')

/** Responds to every search with these pages, and to every read with the first payment. */
const listing = (...pages: readonly (readonly object[])[]): RunOptions => ({
  env: SERVICE_ENV,
  service: ({ method, url }) => {
    if (method !== 'GET') return jsonAnswer(200, { id: 'p1', status: 'SETTLED' })
    const { pathname, searchParams } = new URL(url)
    if (!pathname.endsWith('/payments')) return jsonAnswer(200, pages[0]?.[0])
    const at = Number(searchParams.get('cursor') ?? 0)
    const next = at + 1 < pages.length ? { nextCursor: String(at + 1) } : {}
    return jsonAnswer(200, { data: pages[at], ...next })
  },
})

const PAID = { id: 'p1', orderId: 'A-1', status: 'SETTLED', amount: 1250, currencyCode: 'EUR' }

const REFUND = 'payment refund --order A-1 --amount 300'

describe('an uncertain search sends nothing', () => {
  test('a payment without an order id', async () => {
    const found = await bench.runPay(REFUND, listing([{ id: 'p1', status: 'SETTLED' }]))
    expect(found.exitCode).toBe(2)
    expect(found.stderr).toContain('does not name that order')
    expect(writes(found)).toEqual([])
  })

  test.each([
    ['a payment without an id', { data: [{ orderId: 'A-1' }] }],
    ['no list', { id: 'p1' }],
    ['pages that repeat', { data: [PAID], nextCursor: 'same' }],
  ])('%s', async (_, answer) => {
    const found = await bench.runPay(REFUND, { env: SERVICE_ENV, service: () => jsonAnswer(200, answer) })
    expect(found).toMatchObject({ exitCode: 11, stdout: '' })
    expect(writes(found)).toEqual([])
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
    expect(writes(found)).toEqual([])
  })

  test('a key without the scope to list payments', async () => {
    const found = await bench.runPay(`${REFUND} --json`, {
      env: SERVICE_ENV,
      service: () => jsonAnswer(403, { error: { errorId: 'Forbidden', description: 'payments:read' } }),
    })
    expect(found.exitCode).toBe(4)
    expect(errorOf(found.stderr)).toMatchObject({
      code: 'forbidden',
      hint: expect.stringContaining('Use the payment ID instead'),
    })
  })
})

describe('refused before any search', () => {
  test.each([
    ['payment refund p1 --order A-1', 'Give ID or --order, not both'],
    ['payment capture p1 --order A-1', 'Give ID or --order, not both'],
    ['payment refund', 'Missing: ID (or --order)'],
    ['payment refund --order A-1 --amount zero', '--amount'],
    ['payment refund --order A-1 --set amount=x', 'amount'],
    ["payment refund --order ''", '--order is empty'],
  ])('%s', async (words, message) => {
    const refused = await bench.runPay(words, listing([PAID]))
    expect(refused).toMatchObject({ exitCode: 2, stdout: '', requests: [] })
    expect(refused.stderr).toContain(message)
  })
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
