import { at, createPayment, textAt } from '../service.ts'
import type { Json, Service } from '../service.ts'

export const made = async (service: Service, token = 'tok_visa', more: Json = {}) =>
  textAt(await createPayment(service, token, more), 'id')

/** With a token that authorizes at once. */
export const authorized = (service: Service, token?: string, more?: Json) => made(service, token, more)

export const post = (service: Service, id: string, verb: string, body?: Json) =>
  service.call('POST', `/payments/${id}/${verb}`, body)

export const figures = (payment: Json) => [
  payment['status'],
  at(payment, 'processor', 'amountCaptured'),
  at(payment, 'processor', 'amountRefunded'),
]

export const read = (service: Service, id: string) => service.ok('GET', `/payments/${id}`)
