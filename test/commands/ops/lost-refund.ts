import { expect } from 'vitest'
import { TransportFailure } from '../../../src/client/http/transport-port.ts'
import type { HttpRequest, HttpResponse } from '../../../src/client/http/transport-port.ts'
import { envelope } from '../../support/error-envelope.ts'
import { jsonAnswer } from '../../support/run-pay.ts'
import { storeProfile } from '../../support/stored-profile.ts'
import { errorOf } from '../../support/run-result.ts'
import { createOpsBench } from './ops-bench.ts'

/** A service that honours idempotency keys and can lose requests or responses. */
function shopService() {
  const refunds = new Map<string, number>()
  const payment = (id: string) => {
    const own = [...refunds].filter(([key]) => key.startsWith(`${id} `)).map(([, amount]) => amount)
    return shown(id, own)
  }
  const shown = (id: string, own: readonly number[]) => ({
    id,
    status: 'SETTLED',
    orderId: 'A-1',
    amount: 1_000,
    currencyCode: 'EUR',
    processor: { amountCaptured: 1_000, amountRefunded: 200 * own.length },
    transactions: own.map((amount) => ({
      transactionType: 'REFUND',
      amount,
      date: '2026-03-01T12:00:00.000000',
      processorStatus: 'SETTLED',
    })),
  })
  const answer = ({ method, url, headers }: HttpRequest): HttpResponse => {
    const id = /\/payments\/(\w+)/.exec(url)?.[1] ?? ''
    if (method === 'GET') return jsonAnswer(200, payment(id))
    const key = `${id} ${headers['x-idempotency-key']}`
    if (refunds.has(key)) return jsonAnswer(409, envelope('IdempotencyKeyAlreadyExists', { paymentId: id }))
    refunds.set(key, 200)
    return jsonAnswer(200, payment(id))
  }
  const lost = new TransportFailure('cut', true, 'the connection ended')
  return {
    refunds,
    answer,
    /** Loses each write before it arrives. */
    dropBefore: (request: HttpRequest): HttpResponse => {
      if (request.method === 'GET') return answer(request)
      throw lost
    },
    /** Performs each write, but loses its response. */
    dropAfter: (request: HttpRequest): HttpResponse => {
      const answered = answer(request)
      if (request.method === 'GET') return answered
      throw lost
    },
  }
}

/** A refund on a stored profile, left in doubt. */
export async function lostOnShop({
  mode = 'live',
  drop = 'dropBefore',
  currency = '--currency EUR',
}: {
  readonly mode?: 'live' | 'test'
  readonly drop?: 'dropBefore' | 'dropAfter'
  readonly currency?: string
} = {}) {
  const bench = createOpsBench()
  const shop = shopService()
  await storeProfile(bench, { mode })
  const lose = async (
    paymentId: string,
    more = '--profile shop',
    env: Readonly<Record<string, string>> = {},
  ) => {
    const lost = await bench.runPay(
      `payment refund ${paymentId} --amount 200 ${currency} --yes ${more} --max-retries 0 --json`,
      { service: shop[drop], env },
    )
    expect(lost.exitCode, lost.stderr).toBe(10)
    return String(errorOf(lost).operationId)
  }
  return { bench, shop, lose, id: await lose('p1') }
}
