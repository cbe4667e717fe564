import type { ServiceResponse } from '../../src/sandbox/answers/response.ts'
import { textAt, toJson } from './service.ts'
import type { Json, Service } from './service.ts'

export interface CheckoutAnswer {
  readonly status: number
  readonly body: Json
}

/** A checkout: calls with the client token of its session in place of an API key. */
export interface Checkout {
  readonly clientToken: string
  call(method: string, url: string, body?: unknown, headers?: Json): Promise<CheckoutAnswer>
  /** A token for this session. */
  tokenize(method: Json): Promise<string>
  pay(method: Json, headers?: Json): Promise<CheckoutAnswer>
}

const TERMS = { orderId: 'order-1', currencyCode: 'EUR', amount: 1000 }

export async function openCheckout(service: Service, session: Json = TERMS): Promise<Checkout> {
  const created = await service.ok('POST', '/client-session', session)
  return checkoutWith(service, textAt(created, 'clientToken'))
}

export function checkoutWith(service: Service, clientToken: string): Checkout {
  const call: Checkout['call'] = async (method, url, body, headers = {}) =>
    parsed(
      await service.handle({
        method,
        url,
        headers: { authorization: `Bearer ${clientToken}`, 'x-api-version': '2.1', ...headers },
        body: body === undefined ? undefined : JSON.stringify(body),
      }),
    )
  const tokenize: Checkout['tokenize'] = async (method) =>
    textAt((await call('POST', '/sandbox/tokenize', method)).body, 'paymentMethodToken')
  return {
    clientToken,
    call,
    tokenize,
    pay: async (method, headers) =>
      call('POST', '/payments', { paymentMethodToken: await tokenize(method) }, headers),
  }
}

const parsed = ({ status, body }: ServiceResponse): CheckoutAnswer => ({
  status,
  body: toJson(JSON.parse(body)),
})

export const VISA = { card: '4111111111111111' }
export const DECLINED = { card: '4000000000000002' }
