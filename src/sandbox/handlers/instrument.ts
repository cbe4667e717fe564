import {
  deleteInstrument,
  listInstruments,
  setDefaultInstrument,
  vaultInstrument,
} from '../../api/operations/instrument.ts'
import { toServiceDate } from '../domain/datetime.ts'
import { plain, withBody, withQuery } from '../request/endpoint.ts'
import type { Params } from '../request/endpoint.ts'
import { showInstrument } from '../answers/method-view.ts'
import { findSource, saveInstrument } from '../domain/payment/payment-source.ts'
import type { PaymentSource } from '../domain/payment/payment-source.ts'
import { Problem } from '../problem.ts'
import type { StoredInstrument } from '../domain/stored.ts'
import type { Store } from '../database/store.ts'

export const instrumentList = withQuery(listInstruments, (query, { store }) => ({
  data: store.instruments
    .ofCustomer(query.customer_id)
    .filter((instrument) => instrument.deletedAt === undefined)
    .map(showInstrument),
}))

export const instrumentDefault = plain(setDefaultInstrument, (params, { store }) => {
  const wanted = instrumentOf(params, store)
  for (const other of store.instruments.ofCustomer(wanted.customerId)) {
    if (other.isDefault) store.instruments.save({ ...other, isDefault: false })
  }
  const after = { ...wanted, isDefault: true }
  store.instruments.save(after)
  const { isVerified: _, ...shown } = showInstrument(after)
  return shown
})

export const instrumentDelete = plain(deleteInstrument, (params, { store, now }) => {
  const after = { ...instrumentOf(params, store), deletedAt: toServiceDate(now), isDefault: false }
  store.instruments.save(after)
  return showInstrument(after)
})

/** Vaults a token. Can be repeated: vaulting it again returns the first result. */
export const instrumentVault = withBody(vaultInstrument, ({ params, body }, context) => {
  const { customerId, verify = false } = body
  const source = findSource(params['paymentMethodToken'] ?? '', context.store)
  if (source === undefined) throw unknownToken()
  if (verify && !source.scenario.verifies)
    throw new Problem('FailedVerification', "The issuer didn't verify the payment method.")
  const vaulted = vaultedBefore(source, context.store)
  if (vaulted === undefined && source.kind !== 'saved')
    return showInstrument(saveInstrument(source, { customerId, isVerified: verify }, context))
  // Don't reveal that another customer has this method.
  if (vaulted === undefined || vaulted.customerId !== customerId) throw unknownToken()
  const after = { ...vaulted, isVerified: vaulted.isVerified || verify }
  context.store.instruments.save(after)
  return showInstrument(after)
})

function vaultedBefore(source: PaymentSource, store: Store): StoredInstrument | undefined {
  if (source.kind === 'fixed') return undefined
  if (source.kind === 'saved') return source.instrument
  const { spent, vaultedAs } = source.token
  if (vaultedAs !== undefined) return instrumentOf({ paymentMethodToken: vaultedAs }, store)
  if (spent) throw unknownToken()
  return undefined
}

function instrumentOf(params: Params, store: Store): StoredInstrument {
  const instrument = store.instruments.find(params['paymentMethodToken'] ?? '')
  if (instrument === undefined || instrument.deletedAt !== undefined) throw unknownToken()
  return instrument
}

const unknownToken = () =>
  new Problem('InvalidPaymentInstrumentToken', "The token doesn't belong to a saved payment method.")
