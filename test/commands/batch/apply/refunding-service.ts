import type { HttpRequest, HttpResponse } from '../../../../src/client/http/transport-port.ts'
import { jsonAnswer } from '../../../support/run-pay.ts'

export interface RefundingService {
  /** What was refunded, by payment. */
  readonly refunded: Map<string, number>
  readonly serve: (request: HttpRequest) => HttpResponse
}

/** A service on which every payment is captured at 49.90 EUR, and which accepts every refund. */
export function createRefundingService(): RefundingService {
  const refunded = new Map<string, number>()
  return {
    refunded,
    serve: ({ method, url, body }) => {
      const id = url.split('/')[4] ?? ''
      if (method === 'POST') refunded.set(id, (refunded.get(id) ?? 0) + Number(JSON.parse(body ?? '').amount))
      return jsonAnswer(200, {
        id,
        status: 'SETTLED',
        currencyCode: 'EUR',
        amount: 4990,
        processor: { amountCaptured: 4990, amountRefunded: refunded.get(id) ?? 0 },
      })
    },
  }
}
