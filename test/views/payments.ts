import type { Payment } from '../../src/api/models/payment.ts'

const CARD = {
  paymentMethodToken: 'tok_secret_one',
  paymentType: 'ECOMMERCE',
  paymentMethodType: 'PAYMENT_CARD',
  authorizationType: 'ESTIMATED',
  isVaulted: false,
  descriptor: 'SHOES R US',
  paymentMethodData: {
    first6Digits: '411111',
    last4Digits: '1111',
    expirationMonth: '03',
    expirationYear: '2030',
    cardholderName: 'J Doe',
    network: 'VISA',
  },
  threeDSecureAuthentication: { responseCode: 'NOT_PERFORMED', reasonText: 'gateway unavailable' },
}

const SALE = {
  date: '2026-11-20T15:36:16.367687',
  amount: 1000,
  currencyCode: 'EUR',
  transactionType: 'SALE',
  processorName: 'SANDBOX_ALPHA',
  processorStatus: 'AUTHORIZED',
  processorTransactionId: 'a-77',
}

export const AUTHORIZED: Payment = {
  id: 'DdRZ6YY0P',
  date: '2026-11-20T15:36:16.367687',
  status: 'AUTHORIZED',
  orderId: 'order-1',
  currencyCode: 'EUR',
  amount: 1000,
  customerId: 'customer-1',
  order: { lineItems: [{ name: 'Blue shoe', quantity: 2, amount: 500 }, { itemId: 'sock-1' }] },
  metadata: { ticket: 'T-1', tries: 2, nested: { token: 'tok_secret_two', seen: true } },
  paymentMethod: CARD,
  processor: { name: 'SANDBOX_ALPHA', processorMerchantId: 'alpha-1', amountCaptured: 0, amountRefunded: 0 },
  transactions: [SALE],
  riskData: { fraudCheck: { source: 'rules', preAuthorizationResult: 'ACCEPT' } },
}

export const PARTLY_REFUNDED: Payment = {
  ...AUTHORIZED,
  status: 'SETTLED',
  metadata: undefined,
  processor: { ...AUTHORIZED.processor, amountCaptured: 700, amountRefunded: 200 },
  transactions: [
    { ...SALE, processorStatus: 'SETTLED' },
    {
      date: '2026-11-21T08:00:00.000001',
      amount: 200,
      transactionType: 'REFUND',
      processorName: 'SANDBOX_ALPHA',
      processorStatus: 'PENDING',
      reason: 'damaged in transit',
      orderId: 'order-1-return',
    },
    {
      date: '2026-11-20T23:00:00.000000',
      amount: 100,
      transactionType: 'REFUND',
      processorStatus: 'FAILED',
      processorStatusReason: { type: 'GATEWAY_REJECTED', code: 'ERROR', message: 'account closed' },
    },
  ],
}

export const DECLINED: Payment = {
  ...AUTHORIZED,
  status: 'DECLINED',
  metadata: undefined,
  order: undefined,
  riskData: undefined,
  statusReason: {
    type: 'ISSUER_DECLINED',
    declineType: 'SOFT_DECLINE',
    code: 'INSUFFICIENT_FUNDS',
    message: 'not enough on 4111111111111111',
  },
  transactions: [{ ...SALE, processorStatus: 'DECLINED' }],
}

export const WAITING: Payment = {
  id: 'DdRZ6YY0P',
  status: 'PENDING',
  currencyCode: 'JPY',
  amount: 700,
  requiredAction: {
    name: '3DS_AUTHENTICATION',
    description: 'The cardholder has to pass a check',
    clientToken: 'ey.secret.three',
  },
  paymentMethod: { paymentMethodType: 'PAYPAL', isVaulted: true },
}

/** Characters that a service could use to control a terminal. */
export const HOSTILE: Payment = {
  id: 'p\u001B[2J1',
  status: 'constructor',
  orderId: 'a\nb\u202Etxt',
  currencyCode: 'E\u009BR',
  amount: 5,
  customerId: '\u001B]0;owned\u0007',
  date: 'yester\u001Bday',
  statusReason: { message: 'see\r\nALL DONE' },
  metadata: { '\u001B[1mkey': '\u001B[31mred', __proto__: 1 },
  paymentMethod: {
    descriptor: '\u2066x',
    paymentMethodData: { network: 'VI\u0007SA', last4Digits: '4111111111111111' },
  },
  processor: { name: '\u200Bp', amountCaptured: 5, amountRefunded: 9 },
  transactions: [
    {
      amount: 1,
      currencyCode: '\u001B',
      transactionType: 'REFUND',
      processorStatus: '\u001B[5m',
      processorName: '\u001Bx',
      reason: 'r\u001B',
    },
  ],
}

export const EVERY_PAYMENT = { AUTHORIZED, PARTLY_REFUNDED, DECLINED, WAITING, HOSTILE, EMPTY: {} } as const
