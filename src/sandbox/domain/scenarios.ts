import type { PaymentStatus } from '../../api/sets.ts'
import type { StatusReason } from '../../api/models/status-reason.ts'
import { LOYALTY_CONNECTIONS, PROCESSORS, SANDBOX_KEYS } from './accounts.ts'
import type { WaitName } from './waits.ts'

/** What the processor says when a payment is created with a method. */
export type CreateOutcome = 'approve' | 'decline' | 'fault' | 'wait' | 'auto-capture'

type FraudResult = 'ACCEPT' | 'REJECT'

/** One way to pay, and everything that it makes happen. The fixed token is its name. */
export interface PaymentScenario {
  readonly token: string
  /** The card number that `sandbox tokenize` takes for it. */
  readonly card?: string
  readonly paymentMethodType: string
  /** What answers show of a card. */
  readonly display?: {
    readonly first6Digits: string
    readonly last4Digits: string
    readonly network: string
    readonly accountFundingType: string
    /** UNKNOWN and NOT_APPLICABLE unless said. */
    readonly regionalRestriction?: string
    readonly prepaidReloadableIndicator?: string
  }
  readonly onCreate: CreateOutcome
  readonly reason?: StatusReason
  /** With `onCreate: 'wait'`. */
  readonly waitsFor?: WaitName
  readonly threeDSecure?: 'frictionless' | 'challenge' | 'unavailable'
  /** What a fraud check said before and after the authorization; there was none otherwise. */
  readonly fraudCheck?: { readonly before: FraudResult; readonly after?: FraudResult }
  /** What a manual authorization through another processor comes to. */
  readonly onAuthorize: 'approve' | 'decline'
  readonly settles: 'at once' | 'later'
  readonly partialCapture: boolean
  readonly adjustable: boolean
  readonly refunds: 'settle' | 'fail'
  /** Whether a verification before vaulting succeeds. */
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
  settles: 'at once',
  partialCapture: true,
  adjustable: true,
  refunds: 'settle',
  verifies: true,
} as const

/** Where a scenario differs from `ORDINARY`. */
type Row = Pick<PaymentScenario, 'token' | 'what'> & Partial<Omit<PaymentScenario, 'outcome'>>

const shownOf = (number: string, network: string, accountFundingType: string) => ({
  first6Digits: number.slice(0, 6),
  last4Digits: number.slice(-4),
  network,
  accountFundingType,
})

const card = (number: string, network = 'VISA', accountFundingType = 'CREDIT') => ({
  card: number,
  display: shownOf(number, network, accountFundingType),
})

const VISA_WITHOUT_NUMBER = { display: shownOf('4111111111111111', 'VISA', 'DEBIT') } as const

const ROWS: readonly Row[] = [
  { ...card('4111111111111111', 'VISA', 'DEBIT'), token: 'tok_visa', what: 'approved (Visa, debit)' },
  { ...card('4242424242424242'), token: 'tok_visa_credit', what: 'approved (Visa, credit)' },
  {
    ...card('5555555555554444', 'MASTERCARD'),
    token: 'tok_mastercard',
    what: 'approved (Mastercard, credit)',
  },
  {
    ...card('4000000000000002'),
    token: 'tok_declined',
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
    onCreate: 'wait',
    waitsFor: '3DS_AUTHENTICATION',
    threeDSecure: 'challenge',
    what: 'waits with requiredAction 3DS_AUTHENTICATION until `sandbox challenge` and `payment resume`',
  },
  {
    ...card('4929251897047956'),
    token: 'tok_3ds_frictionless',
    threeDSecure: 'frictionless',
    what: 'approved after 3DS without a challenge, AUTH_SUCCESS',
  },
  {
    ...card('4000000000003055'),
    token: 'tok_3ds_unavailable',
    threeDSecure: 'unavailable',
    what: 'approved without 3DS: NOT_PERFORMED, with reasonCode GATEWAY_UNAVAILABLE and reasonText',
  },
  {
    ...card('4000000000003220'),
    token: 'tok_processor_3ds',
    onCreate: 'wait',
    waitsFor: 'PROCESSOR_3DS',
    what: 'waits with requiredAction PROCESSOR_3DS: AUTHORIZED an hour later by the sandbox clock, or as `sandbox challenge` says',
  },
  {
    token: 'tok_voucher',
    paymentMethodType: 'BOLETO',
    onCreate: 'wait',
    waitsFor: 'PAYMENT_METHOD_VOUCHER',
    what: 'waits with requiredAction PAYMENT_METHOD_VOUCHER: AUTHORIZED an hour later by the sandbox clock, or as `sandbox challenge` says',
  },
  {
    ...card('4000000000009235'),
    token: 'tok_risk_accepted',
    fraudCheck: { before: 'ACCEPT', after: 'ACCEPT' },
    what: 'approved, with riskData: the fraud check accepts before and after the authorization',
  },
  {
    ...card('4000000000004954'),
    token: 'tok_risk_flagged',
    fraudCheck: { before: 'ACCEPT', after: 'REJECT' },
    what: 'approved, with riskData: the fraud check rejects after the authorization, and you decide',
  },
  {
    ...card('4100000000000019'),
    token: 'tok_risk_rejected',
    onCreate: 'decline',
    onAuthorize: 'decline',
    fraudCheck: { before: 'REJECT' },
    reason: {
      type: 'GATEWAY_REJECTED',
      declineType: 'HARD_DECLINE',
      code: 'SUSPECTED_FRAUD',
      message: 'The fraud check rejected the payment.',
    },
    what: 'declined, SUSPECTED_FRAUD, with riskData: the fraud check rejects before the authorization',
  },
  {
    card: '4000000760000002',
    display: {
      ...shownOf('4000000760000002', 'VISA', 'PREPAID'),
      regionalRestriction: 'DOMESTIC_USE_ONLY',
      prepaidReloadableIndicator: 'RELOADABLE',
    },
    token: 'tok_domestic',
    what: 'approved; binData of a prepaid card with regionalRestriction DOMESTIC_USE_ONLY',
  },
  {
    token: 'tok_autocapture',
    paymentMethodType: 'IDEAL',
    onCreate: 'auto-capture',
    what: 'authorized and captured in full by the create call',
  },
  {
    token: 'tok_async',
    paymentMethodType: 'GOOGLE_PAY',
    settles: 'later',
    what: 'a wallet: a capture goes SETTLING, and SETTLED an hour later by the sandbox clock',
  },
  {
    ...VISA_WITHOUT_NUMBER,
    token: 'tok_nopartial',
    partialCapture: false,
    what: 'a capture of a part is refused by the processor',
  },
  {
    ...VISA_WITHOUT_NUMBER,
    token: 'tok_noadjust',
    adjustable: false,
    what: 'adjusting the authorized amount is refused by the processor',
  },
  {
    token: 'tok_paypal',
    paymentMethodType: 'PAYPAL',
    what: 'not a card: adjusting the authorized amount is refused',
  },
  {
    ...VISA_WITHOUT_NUMBER,
    token: 'tok_refund_fails',
    refunds: 'fail',
    what: 'a refund is taken, and its transaction turns FAILED an hour later by the sandbox clock',
  },
]

/** Fixed tokens work any number of times and count as SINGLE_USE when they are vaulted. */
export const PAYMENT_SCENARIOS: readonly PaymentScenario[] = ROWS.map((row) => {
  const scenario = { ...ORDINARY, ...row }
  return { ...scenario, outcome: OUTCOMES[scenario.onCreate] }
})

/** A session with this metadata is answered as if a processor were down. */
const THIRD_PARTY_DOWN = { key: 'sandbox', value: 'third-party-unavailable' } as const

export const isThirdPartyDown = (metadata: Readonly<Record<string, unknown>> | undefined): boolean =>
  metadata?.[THIRD_PARTY_DOWN.key] === THIRD_PARTY_DOWN.value

/** Long enough that nothing settles while you type a few commands. */
export const SETTLING_MS = 60 * 60 * 1000

/** All that `pay sandbox scenarios` prints. */
export const SCENARIOS = {
  paymentMethods: PAYMENT_SCENARIOS.map(({ card: number, token, outcome, what }) => ({
    card: number,
    token,
    outcome,
    what,
  })),
  processors: PROCESSORS,
  loyaltyConnections: LOYALTY_CONNECTIONS,
  sessions: [
    {
      metadata: `${THIRD_PARTY_DOWN.key}=${THIRD_PARTY_DOWN.value}`,
      what: 'the answer of session create warns THIRD_PARTY_UNAVAILABLE',
    },
  ],
  keys: SANDBOX_KEYS,
  clock: [
    { event: 'client token', after: '24h', what: 'expires' },
    { event: 'SETTLING payment', after: '1h', what: 'becomes SETTLED' },
    {
      event: 'PENDING payment',
      after: '1h',
      what: 'becomes AUTHORIZED, for tok_voucher and tok_processor_3ds',
    },
    { event: 'PENDING refund', after: '1h', what: 'becomes SETTLED, or FAILED for tok_refund_fails' },
  ],
} as const

const BY_TOKEN = new Map(PAYMENT_SCENARIOS.map((scenario) => [scenario.token, scenario]))

export const scenarioOfToken = (token: string): PaymentScenario | undefined => BY_TOKEN.get(token)

export const scenarioOfCard = (digits: string): PaymentScenario | undefined =>
  PAYMENT_SCENARIOS.find((scenario) => scenario.card === digits)
