import type { PaymentStatus } from '../../../api/sets.ts'
import type { StatusReason } from '../../../api/models/status-reason.ts'
import type { RequiredActionName } from './required-actions.ts'

/** How the processor answers when a payment is created. */
export type CreateOutcome = 'approve' | 'decline' | 'fault' | 'wait' | 'auto-capture'

type FraudResult = 'ACCEPT' | 'REJECT'

/** A way to pay and what happens when you use it, named by its fixed token. */
export interface PaymentScenario {
  readonly token: string
  /** The card number that `sandbox tokenize` accepts for the scenario. */
  readonly card?: string
  /** The purpose of the card, in a few words. */
  readonly title?: string
  readonly paymentMethodType: string
  /** How responses show the card. */
  readonly display?: {
    readonly first6Digits: string
    readonly last4Digits: string
    readonly network: string
    readonly accountFundingType: string
    /** The restriction of the card, by default UNKNOWN; the indicator below is NOT_APPLICABLE by default. */
    readonly regionalRestriction?: string
    readonly prepaidReloadableIndicator?: string
  }
  readonly onCreate: CreateOutcome
  readonly reason?: StatusReason
  /** The action that the payment waits for, with `onCreate: 'wait'`. */
  readonly requiredAction?: RequiredActionName
  readonly threeDSecure?: 'frictionless' | 'challenge' | 'unavailable' | 'skipped'
  /** The results of a fraud check before and after authorization; undefined if there is no check. */
  readonly fraudCheck?: { readonly before: FraudResult; readonly after?: FraudResult }
  /** The result of a manual authorization through another processor. */
  readonly onAuthorize: 'approve' | 'decline'
  readonly settles: 'immediately' | 'later'
  readonly partialCapture: boolean
  readonly adjustable: boolean
  readonly refunds: 'settle' | 'fail'
  /** Whether verification before vaulting succeeds. */
  readonly verifies: boolean
  /** The status of a new payment. */
  readonly outcome: PaymentStatus
  readonly what: string
}

const OUTCOMES: Readonly<Record<CreateOutcome, PaymentStatus>> = {
  approve: 'AUTHORIZED',
  decline: 'DECLINED',
  fault: 'FAILED',
  wait: 'PENDING',
  'auto-capture': 'SETTLED',
}

const ORDINARY = {
  paymentMethodType: 'PAYMENT_CARD',
  onCreate: 'approve',
  onAuthorize: 'approve',
  settles: 'immediately',
  partialCapture: true,
  adjustable: true,
  refunds: 'settle',
  verifies: true,
} as const

/** Fields that differ from `ORDINARY`. */
type Row = Pick<PaymentScenario, 'token' | 'what'> & Partial<Omit<PaymentScenario, 'outcome'>>

const displayOf = (number: string, network: string, accountFundingType: string) => ({
  first6Digits: number.slice(0, 6),
  last4Digits: number.slice(-4),
  network,
  accountFundingType,
})

const card = (number: string, network = 'VISA', accountFundingType = 'CREDIT') => ({
  card: number,
  display: displayOf(number, network, accountFundingType),
})

const VISA_WITHOUT_NUMBER = { display: displayOf('4111111111111111', 'VISA', 'DEBIT') } as const

const ROWS: readonly Row[] = [
  {
    ...card('4111111111111111', 'VISA', 'DEBIT'),
    token: 'tok_visa',
    title: 'Debit card',
    what: 'approved (Visa, debit)',
  },
  {
    ...card('4242424242424242'),
    token: 'tok_visa_credit',
    title: 'Credit card',
    what: 'approved (Visa, credit)',
  },
  {
    ...card('5555555555554444', 'MASTERCARD'),
    token: 'tok_mastercard',
    title: 'Mastercard',
    what: 'approved (Mastercard, credit)',
  },
  {
    ...card('4000000000000002'),
    token: 'tok_declined',
    title: 'Insufficient funds',
    onCreate: 'decline',
    verifies: false,
    reason: {
      type: 'ISSUER_DECLINED',
      declineType: 'SOFT_DECLINE',
      code: 'INSUFFICIENT_FUNDS',
      message: 'The issuer declined the payment: insufficient funds.',
    },
    what: 'soft decline, INSUFFICIENT_FUNDS; a manual authorization is approved',
  },
  {
    ...card('5100000000000008', 'MASTERCARD'),
    token: 'tok_hard_declined',
    title: 'Lost or stolen card',
    onCreate: 'decline',
    onAuthorize: 'decline',
    verifies: false,
    reason: {
      type: 'ISSUER_DECLINED',
      declineType: 'HARD_DECLINE',
      code: 'LOST_OR_STOLEN_CARD',
      message: 'The issuer declined the payment: the card is reported lost or stolen.',
    },
    what: 'hard decline, LOST_OR_STOLEN_CARD; a manual authorization is declined too',
  },
  {
    ...card('4000000000000010'),
    token: 'tok_failed',
    title: 'Processor fails',
    onCreate: 'fault',
    verifies: false,
    reason: {
      type: 'APPLICATION_ERROR',
      code: 'ERROR',
      message: 'The processor failed to process the payment.',
    },
    what: 'the processor fails, APPLICATION_ERROR; a manual authorization is approved',
  },
  {
    ...card('4916994064252017'),
    token: 'tok_3ds',
    title: '3D Secure challenge',
    onCreate: 'wait',
    requiredAction: '3DS_AUTHENTICATION',
    threeDSecure: 'challenge',
    what: 'stays PENDING with requiredAction 3DS_AUTHENTICATION until `sandbox challenge` and `payment resume`',
  },
  {
    ...card('4929251897047956'),
    token: 'tok_3ds_frictionless',
    title: '3D Secure, no challenge',
    threeDSecure: 'frictionless',
    what: 'approved after 3DS without a challenge, AUTH_SUCCESS',
  },
  {
    ...card('4000000000003055'),
    token: 'tok_3ds_unavailable',
    title: '3D Secure unavailable',
    threeDSecure: 'unavailable',
    what: 'approved without 3DS: NOT_PERFORMED, with reasonCode GATEWAY_UNAVAILABLE and reasonText',
  },
  {
    ...card('4000000000003220'),
    token: 'tok_processor_3ds',
    title: "Processor's 3D Secure",
    onCreate: 'wait',
    requiredAction: 'PROCESSOR_3DS',
    what: 'PENDING with requiredAction PROCESSOR_3DS; AUTHORIZED after an hour on the sandbox clock unless `sandbox challenge` answers first',
  },
  {
    token: 'tok_voucher',
    paymentMethodType: 'BOLETO',
    onCreate: 'wait',
    requiredAction: 'PAYMENT_METHOD_VOUCHER',
    what: 'PENDING with requiredAction PAYMENT_METHOD_VOUCHER; AUTHORIZED after an hour on the sandbox clock unless `sandbox challenge` answers first',
  },
  {
    ...card('4000000000009235'),
    token: 'tok_risk_accepted',
    title: 'Fraud check accepts',
    fraudCheck: { before: 'ACCEPT', after: 'ACCEPT' },
    what: 'approved, with riskData: the fraud check accepts before and after authorization',
  },
  {
    ...card('4000000000004954'),
    token: 'tok_risk_flagged',
    title: 'Fraud check flags it',
    fraudCheck: { before: 'ACCEPT', after: 'REJECT' },
    what: 'approved, with riskData: the fraud check rejects after authorization; you decide what to do',
  },
  {
    ...card('4100000000000019'),
    token: 'tok_risk_rejected',
    title: 'Fraud check declines',
    onCreate: 'decline',
    onAuthorize: 'decline',
    fraudCheck: { before: 'REJECT' },
    reason: {
      type: 'GATEWAY_REJECTED',
      declineType: 'HARD_DECLINE',
      code: 'SUSPECTED_FRAUD',
      message: 'The fraud check rejected the payment.',
    },
    what: 'declined, SUSPECTED_FRAUD, with riskData: the fraud check rejects before authorization',
  },
  {
    card: '4000000760000002',
    display: {
      ...displayOf('4000000760000002', 'VISA', 'PREPAID'),
      regionalRestriction: 'DOMESTIC_USE_ONLY',
      prepaidReloadableIndicator: 'RELOADABLE',
    },
    token: 'tok_domestic',
    title: 'Prepaid card',
    what: 'approved; binData of a prepaid card with regionalRestriction DOMESTIC_USE_ONLY',
  },
  {
    token: 'tok_autocapture',
    paymentMethodType: 'IDEAL',
    onCreate: 'auto-capture',
    what: 'authorized and fully captured on creation',
  },
  {
    token: 'tok_async',
    paymentMethodType: 'GOOGLE_PAY',
    settles: 'later',
    what: 'a wallet: a capture is SETTLING, then SETTLED after an hour on the sandbox clock',
  },
  {
    ...VISA_WITHOUT_NUMBER,
    token: 'tok_nopartial',
    partialCapture: false,
    what: 'the processor refuses partial captures',
  },
  {
    ...VISA_WITHOUT_NUMBER,
    token: 'tok_noadjust',
    adjustable: false,
    what: 'the processor refuses to adjust the authorized amount',
  },
  {
    token: 'tok_paypal',
    paymentMethodType: 'PAYPAL',
    what: "not a card: the authorized amount can't be adjusted",
  },
  {
    token: 'tok_klarna',
    paymentMethodType: 'KLARNA',
    what: 'pay later: approved; not a card',
  },
  {
    token: 'tok_ideal',
    paymentMethodType: 'IDEAL',
    onCreate: 'wait',
    requiredAction: 'BANK_TRANSFER',
    what: 'PENDING with requiredAction PAYMENT_METHOD_VOUCHER, for the bank; AUTHORIZED after an hour on the sandbox clock unless `sandbox challenge` answers first',
  },
  {
    ...VISA_WITHOUT_NUMBER,
    token: 'tok_refund_fails',
    refunds: 'fail',
    what: 'a refund is accepted, then its transaction is FAILED after an hour on the sandbox clock',
  },
]

/** The scenarios. Their tokens can be used any number of times, and are shown as SINGLE_USE when they are vaulted. */
export const PAYMENT_SCENARIOS: readonly PaymentScenario[] = ROWS.map((row) => {
  const scenario = { ...ORDINARY, ...row }
  return { ...scenario, outcome: OUTCOMES[scenario.onCreate] }
})

const BY_TOKEN = new Map(PAYMENT_SCENARIOS.map((scenario) => [scenario.token, scenario]))

export const scenarioOfToken = (token: string): PaymentScenario | undefined => BY_TOKEN.get(token)

export const scenarioOfCard = (digits: string): PaymentScenario | undefined =>
  PAYMENT_SCENARIOS.find((scenario) => scenario.card === digits)
