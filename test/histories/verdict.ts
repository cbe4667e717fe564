import { expect } from 'vitest'
import { at } from '../sandbox/service.ts'
import type { HttpClient } from './http-client.ts'
import type { Told } from './writer.ts'

const numberAt = (value: unknown, ...path: readonly string[]): number => {
  const found = at(value, ...path)
  if (typeof found !== 'number') throw new Error(`no number at ${path.join('.')}`)
  return found
}

interface Sums {
  readonly answered: number
  /** A write without a response may or may not be there. */
  readonly unheard: number
}

function expectWithin(actual: number, { answered, unheard }: Sums, what: string): void {
  expect(actual, what).toBeGreaterThanOrEqual(answered)
  expect(actual, what).toBeLessThanOrEqual(answered + unheard)
}

/**
 * Reads everything back: what was answered is there, nothing is there that no one asked for, and every payment adds up.
 * Calls without an answer count as possible.
 */
export async function expectTruth({ send }: HttpClient, told: Told): Promise<void> {
  for (const [id, authorized] of told.created) {
    const { status, body } = await send('GET', `/payments/${id}`)
    expect(status, id).toBe(200)
    expect(numberAt(body, 'amount')).toBe(authorized)
    const captured = numberAt(body, 'processor', 'amountCaptured')
    const refunded = numberAt(body, 'processor', 'amountRefunded')
    expect(captured).toBeLessThanOrEqual(authorized)
    expect(refunded).toBeLessThanOrEqual(captured)
    expectWithin(captured, sumsOf(told, 'capture', id), `captured of ${id}`)
    expectWithin(refunded, sumsOf(told, 'refund', id), `refunded of ${id}`)
    expect(refundSteps(body), `refund steps of ${id}`).toBe(refunded)
    if (told.cancelled.has(id)) expect(at(body, 'status')).toBe('CANCELLED')
    if (at(body, 'status') === 'CANCELLED') expect(captured).toBe(0)
  }
  for (const { id: orderId } of told.unheard.filter(({ verb }) => verb === 'create')) {
    const { body } = await send('GET', `/payments?order_id=${orderId}`)
    expect(at(body, 'data', 1), `a second payment of ${orderId}`).toBeUndefined()
  }
  for (const paymentId of told.records) {
    const { status } = await send('PATCH', `/observability/payments/${paymentId}`, { descriptor: 'seen' })
    expect(status, paymentId).toBe(200)
  }
  const lost = told.unheard.filter(({ verb }) => verb === 'points')
  for (const customerId of new Set([...told.points.keys(), ...lost.map(({ id }) => id)])) {
    const amounts = lost.filter(({ id }) => id === customerId).map(({ amount }) => amount)
    await expectPoints({ send }, customerId, restsOf(told.points.get(customerId) ?? 0, amounts))
  }
}

/** The possible balances, highest first: each call without a response was processed or not. */
function restsOf(spent: number, unheard: readonly number[]): readonly number[] {
  const rests = unheard.reduce(
    (known, amount) => [...known, ...known.map((rest) => rest - amount)],
    [10_000 - spent],
  )
  return rests.filter((rest) => rest >= 0).toSorted((one, other) => other - one)
}

/** No read returns a balance: it is the amount that can be redeemed, with nothing left after that. */
async function expectPoints(
  { send }: Pick<HttpClient, 'send'>,
  customerId: string,
  rests: readonly number[],
): Promise<void> {
  const redeem = (value: number) =>
    send('POST', '/loyalty-transactions', { connectionId: 'points-1', customerId, orderId: 'last', value })
  const tooMany = { status: 400, body: { error: { errorId: 'InsufficientPoints' } } }
  let found: number | undefined
  for (const rest of rests) {
    const answer = rest === 0 ? { status: 200, body: {} } : await redeem(rest)
    if (answer.status === 200) {
      found = rest
      break
    }
    expect(answer).toMatchObject(tooMany)
  }
  expect(found, `points that ${customerId} has left, of ${rests.join(' or ')}`).toBeDefined()
  expect(await redeem(1), `points of ${customerId} after all ${found}`).toMatchObject(tooMany)
}

function sumsOf({ captured, refunded, unheard }: Told, verb: 'capture' | 'refund', id: string): Sums {
  const answered = (verb === 'capture' ? captured : refunded).get(id) ?? 0
  const lost = unheard.filter((call) => call.verb === verb && call.id === id)
  return { answered, unheard: lost.reduce((sum, call) => sum + call.amount, 0) }
}

function refundSteps(payment: unknown): number {
  const steps = at(payment, 'transactions')
  if (!Array.isArray(steps)) throw new Error('a payment without transactions')
  return steps
    .filter((entry) => at(entry, 'transactionType') === 'REFUND' && at(entry, 'processorStatus') !== 'FAILED')
    .reduce((sum: number, entry: unknown) => sum + numberAt(entry, 'amount'), 0)
}
