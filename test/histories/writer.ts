import { at } from '../sandbox/service.ts'
import type { HttpClient } from './http-client.ts'

/** The writes that the service confirmed to a writer, and those whose outcome it never saw. */
export interface Told {
  /** Payments, with the amount that was authorized. */
  readonly created: Map<string, number>
  readonly captured: Map<string, number>
  readonly refunded: Map<string, number>
  readonly cancelled: Set<string>
  readonly records: Set<string>
  readonly points: Map<string, number>
  /** Calls without an answer, by what they were about: a payment, its order where it was to be made, a customer of points. */
  readonly unheard: { readonly verb: string; readonly id: string; readonly amount: number }[]
  readonly statuses: Map<number, number>
}

export const nothingTold = (): Told => ({
  created: new Map(),
  captured: new Map(),
  refunded: new Map(),
  cancelled: new Set(),
  records: new Set(),
  points: new Map(),
  unheard: [],
  statuses: new Map(),
})

export interface WriterParts {
  readonly client: HttpClient
  readonly told: Told
  /** Payments that all writers contend for. */
  readonly ids: string[]
  readonly random: () => number
  /** Unique, so that no two writers create the same record. */
  readonly name: string
}

const add = (sums: Map<string, number>, id: string, amount: number) =>
  sums.set(id, (sums.get(id) ?? 0) + amount)

/** One random step of a history. Rejects without a response. */
export async function step(parts: WriterParts, number: number): Promise<void> {
  const { client, told, ids, random, name } = parts
  const amount = 1 + Math.floor(random() * 400)
  const id = ids[Math.floor(random() * ids.length)]
  const verb = id === undefined ? 'create' : pick(random())
  const customerId = `${name}-customer`
  const subjects: Partial<Record<Verb, string>> = { create: `${name}-${number}`, points: customerId }
  const subject = subjects[verb] ?? id ?? ''
  const send = async (path: string, body: object): Promise<unknown> => {
    const key = `${name}-${number}`
    const { status, body: answer } = await client.send('POST', path, body, key).catch((error: unknown) => {
      told.unheard.push({ verb, id: subject, amount })
      throw error
    })
    told.statuses.set(status, (told.statuses.get(status) ?? 0) + 1)
    return status === 200 ? answer : undefined
  }
  switch (verb) {
    case 'create': {
      const wanted = {
        paymentMethodToken: 'tok_visa',
        orderId: `${name}-${number}`,
        currencyCode: 'EUR',
        amount: 1000,
      }
      const made = at(await send('/payments', wanted), 'id')
      if (typeof made !== 'string') return
      told.created.set(made, 1000)
      ids.push(made)
      return
    }
    case 'capture':
      if (await send(`/payments/${id}/capture`, { amount, final: random() < 0.2 }))
        add(told.captured, id ?? '', amount)
      return
    case 'refund':
      if (await send(`/payments/${id}/refund`, { amount })) add(told.refunded, id ?? '', amount)
      return
    case 'cancel':
      if (await send(`/payments/${id}/cancel`, {})) told.cancelled.add(id ?? '')
      return
    case 'record': {
      const paymentId = `${name}-record-${number}`
      if (await send('/observability/payments', recordOf(paymentId, amount))) told.records.add(paymentId)
      return
    }
    case 'points': {
      const wanted = { connectionId: 'points-1', customerId, orderId: `${number}`, value: amount }
      if (await send('/loyalty-transactions', wanted)) add(told.points, customerId, amount)
    }
  }
}

const recordOf = (paymentId: string, amount: number) => ({
  paymentId,
  currencyCode: 'EUR',
  processor: { name: 'ACME_PAY' },
  amount,
  createdAt: '2026-03-04T05:06:07Z',
  order: { id: paymentId },
  paymentMethod: { paymentMethodType: 'PAYMENT_CARD' },
})

type Verb = 'create' | 'capture' | 'refund' | 'cancel' | 'record' | 'points'

function pick(chance: number): Verb {
  const verbs: readonly (readonly [Verb, number])[] = [
    ['capture', 0.3],
    ['refund', 0.6],
    ['create', 0.75],
    ['record', 0.9],
    ['points', 0.95],
  ]
  return verbs.find(([, below]) => chance < below)?.[0] ?? 'cancel'
}
