import { textAt, tokenized } from '../service.ts'
import type { Json, Service } from '../service.ts'

export const tokenOf = async (service: Service, session?: Json, card = '4111111111111111') => {
  const clientToken =
    session === undefined
      ? undefined
      : textAt(await service.ok('POST', '/client-session', session), 'clientToken')
  const paymentMethodToken = await tokenized(service, { card, clientToken })
  return paymentMethodToken
}

export const pay = (service: Service, body: Json) => service.call('POST', '/payments', body)

export const TERMS = { orderId: 'order-1', currencyCode: 'EUR', amount: 1000 }
