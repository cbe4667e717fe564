import type { Evidence } from '../../../src/client/calls/client-port.ts'
import type { DoubtfulWrite } from '../../../src/client/ledger/port.ts'
import { lost, unsent } from '../../support/scripted-call.ts'
import type { Scripted } from '../../support/scripted-call.ts'
import { json, refusal } from '../../support/simulated-service.ts'
import { HOUR_MS, MINUTE_MS, storedRefund } from './resolve-bench.ts'

export const DATE = '2026-03-10T11:59:00.500000'

export const refundEntry = (date: string, more: object = {}) => ({
  transactionType: 'REFUND',
  amount: 300,
  date,
  processorStatus: 'PENDING',
  ...more,
})

export interface Look {
  readonly payment: object
  /** What it says of the call by itself. */
  readonly says: Evidence
  /** Whether it can be the result of a call that was processed. */
  readonly contradicts: boolean
}

export const settled = (captured: number, refunded: number) => ({
  id: 'pay-1',
  status: 'SETTLED',
  processor: { amountCaptured: captured, amountRefunded: refunded },
})

/** What a reading shows for each operation. */
export const LOOKS: Readonly<
  Record<string, { readonly intent: DoubtfulWrite; readonly looks: Readonly<Record<string, Look>> }>
> = {
  'payment.refund': {
    intent: storedRefund(),
    looks: {
      'none is there': {
        payment: { ...settled(1_000, 0), transactions: [] },
        says: 'absent',
        contradicts: true,
      },
      'it is there once': {
        payment: { ...settled(1_000, 300), transactions: [refundEntry(DATE)] },
        says: 'shown',
        contradicts: false,
      },
      'it is there twice': {
        payment: { ...settled(1_000, 600), transactions: [refundEntry(DATE), refundEntry(DATE)] },
        says: 'shown',
        contradicts: false,
      },
      'the figures are missing': {
        payment: { id: 'pay-1', status: 'SETTLED' },
        says: 'hidden',
        contradicts: false,
      },
    },
  },
  'payment.capture': {
    intent: storedRefund({
      operation: 'payment.capture',
      amount: 700,
      request: { params: { id: 'pay-1' }, body: '{"amount":700}' },
    }),
    looks: {
      'none is there': {
        payment: { id: 'pay-1', status: 'AUTHORIZED', processor: { amountCaptured: 0 } },
        says: 'absent',
        contradicts: true,
      },
      'it is there once': { payment: settled(700, 0), says: 'shown', contradicts: false },
      'it is there twice': { payment: settled(1_400, 0), says: 'unclear', contradicts: false },
      'the figures are missing': {
        payment: { id: 'pay-1', status: 'SETTLED' },
        says: 'hidden',
        contradicts: false,
      },
      'another status': {
        payment: { id: 'pay-1', status: 'REVERSING' },
        says: 'hidden',
        contradicts: false,
      },
    },
  },
  'payment.cancel': {
    intent: storedRefund({
      operation: 'payment.cancel',
      amount: undefined,
      request: { params: { id: 'pay-1' }, body: undefined },
    }),
    looks: {
      'none is there': { payment: { id: 'pay-1', status: 'AUTHORIZED' }, says: 'absent', contradicts: true },
      'it is there once': {
        payment: { id: 'pay-1', status: 'CANCELLED' },
        says: 'shown',
        contradicts: false,
      },
      'the figures are missing': { payment: { id: 'pay-1' }, says: 'hidden', contradicts: false },
      'another status': { payment: { id: 'pay-1', status: 'VOIDING' }, says: 'hidden', contradicts: false },
    },
  },
  'payment.authorize': {
    intent: storedRefund({
      operation: 'payment.authorize',
      amount: undefined,
      request: { params: { id: 'pay-1' }, body: '{"processor":{"processorMerchantId":"alpha-1"}}' },
    }),
    looks: {
      'none is there': { payment: { id: 'pay-1', status: 'PENDING' }, says: 'absent', contradicts: true },
      'it is there once': {
        payment: { id: 'pay-1', status: 'AUTHORIZED', processor: { processorMerchantId: 'alpha-1' } },
        says: 'shown',
        contradicts: false,
      },
      'another status': {
        payment: { id: 'pay-1', status: 'AUTHORIZED', processor: { processorMerchantId: 'beta-1' } },
        says: 'hidden',
        contradicts: false,
      },
      'the figures are missing': { payment: { id: 'pay-1' }, says: 'hidden', contradicts: false },
    },
  },
}

export type Told = { readonly kind: string; readonly exitCode?: number; readonly isAmbiguous?: boolean }
export const IN_DOUBT: Told = { kind: 'in-doubt', isAmbiguous: false }
export const AMBIGUOUS: Told = { kind: 'in-doubt', isAmbiguous: true }

/** Refused: the payment alone tells. */
const refused =
  (exitCode: number) =>
  ({ says }: Look): Told =>
    ({
      absent: { kind: 'rejected', exitCode },
      shown: { kind: 'confirmed', exitCode: 0 },
      unclear: AMBIGUOUS,
      hidden: AMBIGUOUS,
    })[says]

/** The response to the resend, and its meaning, given what the payment shows. */
export const RESENDS: Readonly<
  Record<string, { readonly answer: Scripted; readonly means: (look: Look) => Told }>
> = {
  '200': {
    answer: json(200, { id: 'pay-1' }),
    means: () => ({ kind: 'confirmed', exitCode: 0 }),
  },
  '200, a page of HTML': {
    answer: { status: 200, headers: {}, body: '<html>' },
    means: () => IN_DOUBT,
  },
  '200, and an error in it': {
    answer: { ...refusal(400, 'InvalidPaymentStatus'), status: 200 },
    means: () => IN_DOUBT,
  },
  '200, another payment': { answer: json(200, { id: 'pay-2', status: 'SETTLED' }), means: () => IN_DOUBT },
  '409, our key': {
    answer: refusal(409, 'IdempotencyKeyAlreadyExists', { paymentId: 'pay-1' }),
    means: ({ contradicts }) => (contradicts ? AMBIGUOUS : { kind: 'confirmed', exitCode: 0 }),
  },
  '400, our key': {
    answer: refusal(400, 'TransactionRequestIdempotencyKeyAlreadyExists'),
    means: ({ contradicts }) => (contradicts ? AMBIGUOUS : { kind: 'confirmed', exitCode: 0 }),
  },
  '409, our key, of another payment': {
    answer: refusal(409, 'IdempotencyKeyAlreadyExists', { paymentId: 'pay-2' }),
    means: () => AMBIGUOUS,
  },
  '400, the state': {
    answer: refusal(400, 'InvalidPaymentStatus'),
    means: refused(6),
  },
  '422, the amount': {
    answer: refusal(422, 'UnprocessableRefundAmount'),
    means: refused(3),
  },
  '409, nothing left': {
    answer: refusal(409, 'PaymentAlreadyRefunded'),
    means: refused(6),
  },
  // The first attempt may be the cause: it may still be in progress.
  '409, something else': { answer: refusal(409, 'PaymentIsLocked'), means: () => IN_DOUBT },
  '409 without a word': { answer: json(409, {}), means: () => IN_DOUBT },
  // The API key may get the permission later, and then it can be done.
  '401': { answer: refusal(401, 'Unauthorized'), means: () => IN_DOUBT },
  '403': { answer: refusal(403, 'Forbidden'), means: () => IN_DOUBT },
  '403 of a proxy': { answer: { status: 403, headers: {}, body: '<html>' }, means: () => IN_DOUBT },
  '302': { answer: json(302, {}), means: () => IN_DOUBT },
  '429': { answer: json(429, {}), means: () => IN_DOUBT },
  '503': { answer: json(503, {}), means: () => IN_DOUBT },
  'no answer': { answer: lost, means: () => IN_DOUBT },
  'no connection': { answer: unsent, means: () => IN_DOUBT },
}

export const AGES = {
  'a minute old': { ms: MINUTE_MS, isKnown: true },
  '22 hours old': { ms: 22 * HOUR_MS, isKnown: true },
  '24 hours old': { ms: 24 * HOUR_MS, isKnown: false },
} as const

export const absent = json(200, LOOKS['payment.refund']?.looks['none is there']?.payment)
export const shown = json(200, LOOKS['payment.refund']?.looks['it is there once']?.payment)
