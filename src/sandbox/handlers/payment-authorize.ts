import { authorizePayment } from '../../api/operations/payment.ts'
import { withBody } from '../request/endpoint.ts'
import { applyEvent, newSale, refuseUnlessAllowed } from '../domain/payment/payment-changes.ts'
import { saveAndShow } from '../answers/payment-view.ts'
import { Problem } from '../problem.ts'
import { PROCESSORS } from '../domain/accounts.ts'
import { scenarioOfToken } from '../domain/scenarios/payment-scenarios.ts'
import type { StoredPayment } from '../domain/stored.ts'
import { vaultIfRequested } from '../domain/payment/payment-source.ts'

const AUTHORIZED: ReadonlySet<string> = new Set(['AUTHORIZED', 'PARTIALLY_SETTLED', 'SETTLING', 'SETTLED'])

export const paymentAuthorize = withBody(authorizePayment, ({ params, body }, context) => {
  const payment = context.store.payments.find(params['id'] ?? '')
  if (payment === undefined)
    throw new Problem('PaymentNotFoundError', `Payment ${params['id'] ?? ''} doesn't exist.`)
  if (AUTHORIZED.has(payment.status))
    throw new Problem('PaymentAlreadyAuthorized', `Payment ${payment.id} is already ${payment.status}.`)
  refuseUnlessAllowed(payment, 'manually approved')
  const processor = findProcessor(body.processor)
  const scenario = scenarioOfToken(payment.method.scenario)
  const isApproved = scenario?.onAuthorize === 'approve'
  const statusReason = isApproved ? undefined : scenario?.reason
  const requested: StoredPayment = { ...payment, processor, statusReason }
  const transactions = [...payment.transactions, newSale(requested, context)]
  const decided = applyEvent(
    { ...requested, transactions },
    isApproved ? 'manually approved' : 'manually declined',
  )
  return saveAndShow(isApproved ? vaultIfRequested(decided, context) : decided, context)
})

interface WantedProcessor {
  readonly processorMerchantId: string
  readonly name?: string | undefined
}

function findProcessor({ processorMerchantId, name }: WantedProcessor) {
  const found = PROCESSORS.filter(
    (row) => row.processorMerchantId === processorMerchantId && (name === undefined || row.name === name),
  )
  const [first, second] = found
  if (first === undefined) {
    const whose = name === undefined ? 'No processor' : `Processor ${name}`
    throw new Problem(
      'MerchantAccountNotFound',
      `${whose} has ${name === undefined ? 'a' : 'no'} merchant account ${processorMerchantId}.`,
    )
  }
  if (second !== undefined) {
    throw new Problem(
      'MerchantAccountConflict',
      `${found.map((row) => row.name).join(' and ')} share the merchant account ${processorMerchantId}.`,
      { recoverySuggestion: 'Add processor.name.' },
    )
  }
  return { name: first.name, processorMerchantId: first.processorMerchantId }
}
