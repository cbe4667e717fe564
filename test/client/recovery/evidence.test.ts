import { describe, expect, test } from 'vitest'
import { evidenceIn, other } from './evidence-bench.ts'
import type { Case } from './evidence-bench.ts'

const captured = (amountCaptured: number, status = 'SETTLED') => ({
  status,
  amount: 1000,
  processor: { amountCaptured },
})

const authorizedBy = (processorMerchantId: string) => ({
  status: 'AUTHORIZED',
  processor: { processorMerchantId },
})

const CASES: Readonly<Record<string, Case>> = {
  'a capture, and the figure is smaller than what is known to be done': {
    operation: 'payment.capture',
    request: { amount: 300 },
    others: [other('payment.capture', 500)],
    payment: captured(300),
    evidence: 'hidden',
  },
  'a capture of a payment that still says AUTHORIZED, with its figure': {
    operation: 'payment.capture',
    request: { amount: 300 },
    payment: captured(300, 'AUTHORIZED'),
    evidence: 'shown',
  },
  'a capture of a payment that is AUTHORIZED, without a figure': {
    operation: 'payment.capture',
    request: { amount: 300 },
    payment: { status: 'AUTHORIZED' },
    evidence: 'absent',
  },
  'a cancellation of a payment in an unknown state': {
    operation: 'payment.cancel',
    payment: { status: 'VOIDING' },
    evidence: 'hidden',
  },
  'an operation that leaves no trace': {
    operation: 'payment.create',
    payment: captured(300),
    evidence: 'hidden',
  },
  'a capture of an amount that is there': {
    operation: 'payment.capture',
    request: { amount: 300 },
    payment: captured(300),
    evidence: 'shown',
  },
  'a capture of an amount that another one explains': {
    operation: 'payment.capture',
    request: { amount: 300 },
    others: [other('payment.capture', 300)],
    payment: captured(300, 'PARTIALLY_SETTLED'),
    evidence: 'absent',
  },
  'a capture of a payment that settles, whose figure another one explains: it may lag behind': {
    operation: 'payment.capture',
    request: { amount: 300 },
    others: [other('payment.capture', 300)],
    payment: captured(300),
    evidence: 'hidden',
  },
  ...Object.fromEntries(
    (
      [
        ['PENDING', 'absent'],
        ['AUTHORIZED', 'absent'],
        ['CANCELLED', 'absent'],
        ['PARTIALLY_SETTLED', 'absent'],
        ['SETTLING', 'hidden'],
        ['SETTLED', 'hidden'],
        ['DECLINED', 'hidden'],
        ['FAILED', 'hidden'],
        ['REVERSING', 'hidden'],
      ] as const
    ).map(([status, evidence]): [string, Case] => [
      `a capture of a payment that is ${status}, with nothing captured`,
      {
        operation: 'payment.capture',
        request: { amount: 300 },
        payment: captured(0, status),
        evidence,
      },
    ]),
  ),
  'an authorization of a payment that is PENDING': {
    operation: 'payment.authorize',
    request: { processor: { processorMerchantId: 'alpha-1' } },
    payment: { status: 'PENDING' },
    evidence: 'absent',
  },
  'an authorization of a payment that waits for its customer, perhaps because of it': {
    operation: 'payment.authorize',
    request: { processor: { processorMerchantId: 'alpha-1' } },
    payment: { status: 'PENDING', requiredAction: { name: '3DS_AUTHENTICATION' } },
    evidence: 'hidden',
  },
  'a capture of all that is left, and all is captured': {
    operation: 'payment.capture',
    payment: captured(1000),
    evidence: 'shown',
  },
  'a capture of all that is left, and a part is captured': {
    operation: 'payment.capture',
    payment: captured(400, 'PARTIALLY_SETTLED'),
    evidence: 'unclear',
  },
  'a capture of all that is left, next to another one of all that is left': {
    operation: 'payment.capture',
    others: [other('payment.capture')],
    payment: captured(1000),
    evidence: 'unclear',
  },
  'a capture of part of what has been captured since': {
    operation: 'payment.capture',
    request: { amount: 300 },
    payment: captured(500),
    evidence: 'unclear',
  },
  'a capture, and the payment has grown by it since it was read': {
    operation: 'payment.capture',
    request: { amount: 300 },
    before: { captured: 400 },
    payment: captured(700, 'PARTIALLY_SETTLED'),
    evidence: 'shown',
  },
  'a capture, and the payment is as it was read': {
    operation: 'payment.capture',
    request: { amount: 300 },
    before: { captured: 400 },
    payment: captured(400, 'PARTIALLY_SETTLED'),
    evidence: 'absent',
  },
  'a capture next to one that was declined': {
    operation: 'payment.capture',
    request: { amount: 300 },
    others: [other('payment.capture', 300, 13)],
    payment: captured(300),
    evidence: 'shown',
  },
  'a cancellation of what is cancelled': {
    operation: 'payment.cancel',
    payment: { status: 'CANCELLED' },
    evidence: 'shown',
  },
  'a cancellation of what another one has cancelled': {
    operation: 'payment.cancel',
    others: [other('payment.cancel')],
    payment: { status: 'CANCELLED' },
    evidence: 'shown',
  },
  'an authorization through the processor that has it': {
    operation: 'payment.authorize',
    request: { processor: { processorMerchantId: 'alpha-1' } },
    payment: authorizedBy('alpha-1'),
    evidence: 'shown',
  },
  'an authorization after another one': {
    operation: 'payment.authorize',
    request: { processor: { processorMerchantId: 'alpha-1' } },
    others: [other('payment.authorize')],
    payment: authorizedBy('alpha-1'),
    evidence: 'shown',
  },
  'an authorization after one that was declined': {
    operation: 'payment.authorize',
    request: { processor: { processorMerchantId: 'alpha-1' } },
    others: [other('payment.authorize', undefined, 13)],
    payment: authorizedBy('alpha-1'),
    evidence: 'shown',
  },
}

describe('the evidence for a write', () => {
  test.each(Object.entries(CASES))('%s', (_, one) => {
    expect(evidenceIn(one)).toBe(one.evidence)
  })
})
