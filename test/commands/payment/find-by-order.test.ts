import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { SERVICE_ENV } from '../../support/error-envelope.ts'
import { createBench, jsonAnswer } from '../../support/run-pay.ts'
import type { Bench, RunOptions } from '../../support/run-pay.ts'
import { storeProfile } from '../../support/stored-profile.ts'

let bench: Bench
beforeEach(() => {
  bench = createBench()
})
afterEach(() => {
  bench.dispose()
})

async function captured(orderId: string): Promise<string> {
  const created = await bench.runPay([
    ...'--sandbox payment create --token tok_visa --amount 1250 --currency EUR -o id --order-id'.split(' '),
    orderId,
  ])
  const id = created.stdout.trim()
  await bench.runPay(['--sandbox', 'payment', 'capture', id])
  bench.clock.now = new Date(bench.clock.now.getTime() + 60_000)
  return id
}

const errorOf = (stderr: string): Record<string, unknown> => {
  const told: { error: Record<string, unknown> } = JSON.parse(stderr.trim().split('\n').at(-1) ?? '')
  return told.error
}

const writes = ({ requests }: { readonly requests: readonly { method: string }[] }) =>
  requests.filter(({ method }) => method !== 'GET')

/** A service with these pages of payments for every search; the first of all is the one that is read. */
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

describe('one payment of the order', () => {
  test('is refunded as if its id had been typed, and is named on stderr', async () => {
    const id = await captured('ORD-77')
    await captured('ORD-7')
    const found = await bench.runPay("--sandbox payment refund --order ORD-77 --amount '12.50 EUR'")
    expect(found.exitCode).toBe(0)
    expect(found.stderr).toContain(`Order ORD-77: payment ${id}: ✓ SETTLED, 12.50 EUR, VISA •••• 1111, `)
    expect(writes(found).map(({ method }) => method)).toEqual(['POST'])
    expect(found.requests.at(-1)).toMatchObject({ url: expect.stringContaining(`/payments/${id}/refund`) })
    const recorded = await bench.runPay(
      `ops list --target ${id} --operation payment.refund --query [].target`,
    )
    expect(JSON.parse(recorded.stdout)).toEqual([id])
  })

  test('is captured likewise', async () => {
    await bench.runPay(
      '--sandbox payment create --token tok_visa --amount 1000 --currency EUR --order-id A-1 -o id',
    )
    const found = await bench.runPay('--sandbox payment capture --order A-1 --query status')
    expect(found).toMatchObject({ exitCode: 0, stdout: '"SETTLED"\n' })
  })

  test('sends the same request as its id does', async () => {
    const byOrder = await bench.runPay(REFUND, listing([PAID]))
    const byId = await bench.runPay('payment refund p1 --amount 300 --again', listing([PAID]))
    const [[sent], [typed]] = [writes(byOrder), writes(byId)]
    expect({ ...sent, headers: {} }).toEqual({ ...typed, headers: {} })
  })

  test('is previewed and confirmed on a live profile as ever', async () => {
    await storeProfile(bench, { mode: 'live' })
    const options = { ...listing([PAID]), env: {} }
    const refused = await bench.runPay(`-p shop ${REFUND}`, options)
    expect(refused.exitCode).toBe(2)
    expect(writes(refused)).toEqual([])
    const asked = await bench.runPay(`-p shop ${REFUND}`, {
      ...options,
      answers: { 'Refund 3.00 EUR of payment p1 on LIVE profile shop?': false },
    })
    expect(asked.exitCode).toBe(2)
    expect(writes(asked)).toEqual([])
  })

  test('blocks a second refund of it by its id, while the first is in doubt', async () => {
    const service: RunOptions['service'] = ({ method }) =>
      method === 'GET' ? jsonAnswer(200, { data: [PAID] }) : jsonAnswer(503, {})
    const lost = await bench.runPay(`${REFUND} --max-retries 0`, { env: SERVICE_ENV, service })
    expect(lost.exitCode).toBe(10)
    expect((await bench.runPay('payment refund p1', listing([PAID]))).exitCode).toBe(6)
  })

  test('is not named to those who want no words', async () => {
    expect((await bench.runPay(`${REFUND} -q`, listing([PAID]))).stderr).toBe('')
  })

  test('on the second page is found too', async () => {
    const other = { ...PAID, id: 'p0', orderId: 'a-1' }
    const found = await bench.runPay(REFUND, listing([other], [PAID]))
    expect(found.exitCode).toBe(0)
    expect(found.requests.at(-1)?.url).toContain('/payments/p1/refund')
  })
})

test('a payment that two pages show is one', async () => {
  expect((await bench.runPay(REFUND, listing([PAID], [PAID]))).exitCode).toBe(0)
})

describe('several payments of the order', () => {
  const TWO = [PAID, { ...PAID, id: 'p2', status: 'DECLINED' }]

  test('are picked from on a terminal', async () => {
    const old = await captured('ORD-77')
    await captured('ORD-77')
    const picked = await bench.runPay('--sandbox payment refund --order ORD-77 --amount 300', {
      answers: { Payment: old },
    })
    expect(picked.exitCode).toBe(0)
    expect(picked.offered['Payment']).toHaveLength(2)
    expect(picked.offered['Payment']?.at(-1)).toContain(old)
    expect(picked.offered['Payment']?.at(-1)).toContain('✓ SETTLED')
    expect(picked.requests.at(-1)?.url).toContain(`/payments/${old}/refund`)
  })

  test('are listed in a script, and nothing is sent', async () => {
    const found = await bench.runPay(REFUND, listing(TWO))
    expect(found).toMatchObject({ exitCode: 2, stdout: '' })
    expect(writes(found)).toEqual([])
    expect(found.stderr).toMatch(/^p1 +✓ SETTLED +12\.50 EUR$/m)
    expect(found.stderr).toMatch(/^p2 +✗ DECLINED +12\.50 EUR$/m)
    expect(found.stderr).toContain('2 payments are of order A-1: say which')
  })

  test('are named to a program', async () => {
    const found = await bench.runPay(`${REFUND} --json`, listing(TWO))
    expect(found.exitCode).toBe(2)
    expect(found.stderr.trim().split('\n')).toHaveLength(1)
    expect(errorOf(found.stderr)).toMatchObject({
      code: 'several_payments',
      outcome: 'none',
      next: ['pay payment explain p1', 'pay payment explain p2'],
    })
  })

  test('on two pages are several', async () => {
    const found = await bench.runPay(REFUND, listing([PAID], [{ ...PAID, id: 'p2' }]))
    expect(found.exitCode).toBe(2)
    expect(writes(found)).toEqual([])
  })

  test('are asked about with --yes too: that confirms, and does not choose', async () => {
    const found = await bench.runPay(`${REFUND} --yes`, listing(TWO))
    expect(found.exitCode).toBe(2)
    expect(writes(found)).toEqual([])
  })
})

describe('no payment of the order', () => {
  test('tells what was searched', async () => {
    const found = await bench.runPay('--sandbox payment refund --order ORD-78')
    expect(found).toMatchObject({ exitCode: 5, stdout: '' })
    expect(writes(found)).toEqual([])
    expect(found.stderr).toContain('There is no payment of order ORD-78')
    expect(found.stderr).toContain('on profile sandbox (test, http://sandbox.localhost)')
    expect(found.stderr).toContain('need a key that may read')
  })

  test('is not the payment of another order that the service answers', async () => {
    const found = await bench.runPay(REFUND, listing([{ ...PAID, orderId: 'A-10' }]))
    expect(found.exitCode).toBe(5)
  })

  test('is neither of two orders between a comma', async () => {
    await captured('A')
    const found = await bench.runPay('--sandbox payment refund --order A,B --json')
    expect(found.exitCode).toBe(5)
    expect(errorOf(found.stderr)).toMatchObject({
      code: 'no_such_order',
      hint: expect.stringContaining('read the comma as "or"'),
    })
  })
})

describe('what cannot be told for certain is not acted on', () => {
  test('a payment that does not say of which order it is', async () => {
    const found = await bench.runPay(REFUND, listing([{ id: 'p1', status: 'SETTLED' }]))
    expect(found.exitCode).toBe(2)
    expect(found.stderr).toContain('does not say that it is of that order')
    expect(writes(found)).toEqual([])
  })

  test.each([
    ['a payment without its id', { data: [{ orderId: 'A-1' }] }],
    ['no list', { id: 'p1' }],
    ['pages that repeat', { data: [PAID], nextCursor: 'same' }],
  ])('%s', async (_, answer) => {
    const found = await bench.runPay(REFUND, { env: SERVICE_ENV, service: () => jsonAnswer(200, answer) })
    expect(found).toMatchObject({ exitCode: 11, stdout: '' })
    expect(writes(found)).toEqual([])
  })

  test('a payment whose amount is no number is told apart all the same', async () => {
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

  test('a key that may not list payments', async () => {
    const found = await bench.runPay(`${REFUND} --json`, {
      env: SERVICE_ENV,
      service: () => jsonAnswer(403, { error: { errorId: 'Forbidden', description: 'payments:read' } }),
    })
    expect(found.exitCode).toBe(4)
    expect(errorOf(found.stderr)).toMatchObject({
      code: 'forbidden',
      hint: expect.stringContaining("Give the payment's ID in its place"),
    })
  })
})

describe('refused before anything is searched', () => {
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

describe('where nothing is sent, nothing is searched', () => {
  test('a dry run shows the place of the id, and says what it did not look up', async () => {
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

  test('a curl line has a variable in its place', async () => {
    const shown = await bench.runPay('--sandbox payment refund --order ORD-77 --amount 300 --curl')
    expect(shown).toMatchObject({ exitCode: 0, requests: [] })
    expect(shown.stdout).toContain(`/payments/'"$ID"'/refund'`)
  })

  test('the key of a ticket hangs on the payment: a dry run leaves it out, a curl line is refused', async () => {
    const words = '--sandbox payment refund --order ORD-77 --amount 300 --once T-1'
    const shown = await bench.runPay(`${words} --dry-run --json`)
    expect(shown.exitCode).toBe(0)
    expect(shown.stdout).not.toContain('x-idempotency-key')
    expect(shown.stdout).toContain('the idempotency key, which depends on that and on the ticket')
    expect(await bench.runPay(`${words} --curl`)).toMatchObject({ exitCode: 2, stdout: '' })
  })
})

test('lets no words of the service steer the terminal', async () => {
  const hostile = { ...PAID, status: 'SETTLED\u001b[2J', amount: 5, currencyCode: '\u0007' }
  const found = await bench.runPay(REFUND, listing([hostile, { ...hostile, id: 'p\u001b[5m2' }]))
  expect(found.exitCode).toBe(2)
  for (const sign of ['\u001b', '\u0007']) expect(found.stderr).not.toContain(sign)
})
