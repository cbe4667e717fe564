import { join } from 'node:path'
import { loadSqlite } from '../../src/store/sqlite.ts'
import type { Service } from '../sandbox/service.ts'
import { createPayment, settledPayment, textAt, answered } from '../sandbox/service.ts'
import type { Known } from './requests.ts'

const CONTENTS = [
  'SELECT group_concat(doc) AS text FROM sessions',
  'SELECT group_concat(doc) AS text FROM documents',
  'SELECT group_concat(doc) AS text FROM single_use_tokens',
  'SELECT group_concat(doc) AS text FROM instruments',
  'SELECT group_concat(customer_id || balance) AS text FROM loyalty_balances',
  'SELECT group_concat(doc) AS text FROM loyalty_transactions',
  'SELECT group_concat(key) AS text FROM idempotency_keys',
] as const

/** Reads everything that a refused request must not change, directly from the database. */
export function openStore(folder: string): { readonly contents: () => string; readonly close: () => void } {
  const connection = loadSqlite()(join(folder, 'sandbox.db'))
  const statements = CONTENTS.map((sql) => connection.prepare(sql))
  return {
    contents: () => JSON.stringify(statements.map((statement) => statement.get())),
    close: () => {
      statements.length = 0
      connection.close()
    },
  }
}

/** Fills the store with resources in various states. */
export async function fillStore(service: Service): Promise<Known> {
  await service.sandbox.reset()
  const estimated = { paymentMethod: { authorizationType: 'ESTIMATED' } }
  const authorized = textAt(await createPayment(service, 'tok_visa', estimated), 'id')
  const settled = await settledPayment(service)
  const failed = textAt(await createPayment(service, 'tok_failed'), 'id')
  const waiting = await createPayment(service, 'tok_3ds')
  const resumeToken = await answered(service, {
    clientToken: textAt(waiting, 'requiredAction', 'clientToken'),
    outcome: 'pass',
  })
  const session = await service.ok('POST', '/client-session', {
    orderId: 'o',
    currencyCode: 'EUR',
    amount: 5,
  })
  const saved = await service.ok('POST', '/payment-instruments/tok_visa/vault', { customerId: 'customer-1' })
  return {
    paymentIds: [authorized, settled, failed, textAt(waiting, 'id')],
    clientToken: textAt(session, 'clientToken'),
    resumeToken,
    savedToken: textAt(saved, 'token'),
  }
}
