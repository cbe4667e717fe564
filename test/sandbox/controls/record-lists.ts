import { at } from '../service.ts'
import type { Json, Service } from '../service.ts'
import { control } from './call-control.ts'

export const listRecords = async (service: Service, query = '') =>
  (await control(service, 'GET', `/sandbox/records${query}`)).body

export async function idsOf(service: Service, query = ''): Promise<readonly unknown[]> {
  const { data } = await listRecords(service, query)
  return Array.isArray(data) ? data.map((line) => at(line, 'id')) : []
}

/** Pushes an external record. */
export const pushRecord = (service: Service, paymentId: string, createdAt: string, more: Json = {}) =>
  service.ok('POST', '/observability/payments', {
    paymentId,
    createdAt,
    currencyCode: 'EUR',
    amount: 700,
    processor: { name: 'ACME' },
    order: { id: 'order-9' },
    paymentMethod: { paymentMethodType: 'PAYMENT_CARD' },
    ...more,
  })
