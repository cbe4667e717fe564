import { describe, expect, test } from 'vitest'
import { evidenceOf } from '../../src/http/evidence.ts'
import type { Evidence } from '../../src/http/evidence.ts'
import type { DoneIntent } from '../../src/intent.ts'

const SINCE = new Date('2026-03-10T12:00:00Z')

const other = (operation: string, amount?: number, exitCode = 0): DoneIntent => ({
  operation,
  amount,
  exitCode,
  resource: 'pay-1',
  endedAt: new Date('2026-03-10T11:59:00Z'),
})

interface Case {
  readonly operation: string
  readonly request?: unknown
  readonly others?: readonly DoneIntent[]
  readonly payment: unknown
  readonly evidence: Evidence
}

const captured = (amountCaptured: number, status = 'SETTLED') => ({
  status,
  amount: 1000,
  processor: { amountCaptured },
})
const refunded = (amountRefunded: number, ...amounts: readonly number[]) => ({
  status: 'SETTLED',
  processor: { amountCaptured: 1000, amountRefunded },
  transactions: amounts.map((amount) => ({
    transactionType: 'REFUND',
    amount,
    date: '2026-03-10T12:00:01.000000',
    processorStatus: 'SETTLED',
  })),
})
const authorizedBy = (processorMerchantId: string) => ({
  status: 'AUTHORIZED',
  processor: { processorMerchantId },
})

const CASES: Readonly<Record<string, Case>> = {
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
    payment: captured(300),
    evidence: 'absent',
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
  'a capture of all that is left, beside another one of all that is left': {
    operation: 'payment.capture',
    others: [other('payment.capture')],
    payment: captured(1000),
    evidence: 'unclear',
  },
  'a capture beside one that was declined': {
    operation: 'payment.capture',
    request: { amount: 300 },
    others: [other('payment.capture', 300, 13)],
    payment: captured(300),
    evidence: 'shown',
  },
  'a refund of an amount that is there once': {
    operation: 'payment.refund',
    request: { amount: 300 },
    payment: refunded(300, 300),
    evidence: 'shown',
  },
  'a refund of the remainder, and nothing is left': {
    operation: 'payment.refund',
    payment: refunded(1000, 1000),
    evidence: 'shown',
  },
  'a refund of the remainder, and something is left': {
    operation: 'payment.refund',
    payment: refunded(7, 7),
    evidence: 'unclear',
  },
  'a refund of the remainder, and there is none': {
    operation: 'payment.refund',
    payment: refunded(0),
    evidence: 'absent',
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
    evidence: 'absent',
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
    evidence: 'absent',
  },
  'an authorization after one that was declined': {
    operation: 'payment.authorize',
    request: { processor: { processorMerchantId: 'alpha-1' } },
    others: [other('payment.authorize', undefined, 13)],
    payment: authorizedBy('alpha-1'),
    evidence: 'shown',
  },
}

describe('what a payment tells of a write long ago', () => {
  test.each(Object.entries(CASES))('%s', (_words, { operation, request, others = [], payment, evidence }) => {
    expect(evidenceOf({ operation, request, since: SINCE, others }, payment)).toBe(evidence)
  })
})
