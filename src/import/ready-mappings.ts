/**
 * Mappings for the exports of common services, by the name that `--mapping` takes. `examples/mappings` has the same files,
 * to copy and change.
 */
export const READY_MAPPINGS: Readonly<Record<string, string>> = {
  'stripe-balance': `# Stripe: Balance > All activity > Export. One record for each charge, with the charge's own ID.
# Refunds, fees, disputes and payouts are left out.
map:
  paymentId: Source
  currencyCode: Customer Facing Currency
  amount: Customer Facing Amount
  createdAt: Created (UTC)
  # The metadata in which you keep the ID of the order.
  order.id: order_id (metadata)
  paymentMethod.paymentMethodType: Type
const:
  processor.name: Stripe
  status: SETTLED
where:
  Type: [charge, payment]
leaveOut:
  Type:
    [refund, refund_failure, payment_refund, payment_failure_refund, payment_reversal,
    payment_unreconciled, adjustment, application_fee, application_fee_refund, stripe_fee,
    stripe_fx_fee, tax_fee, tax_fund, fee_credit_funding, payout, payout_cancel, payout_failure,
    payout_minimum_balance_hold, payout_minimum_balance_release, transfer, transfer_cancel,
    transfer_failure, transfer_refund, connect_collection_transfer, inbound_transfer,
    inbound_transfer_reversal, topup, topup_reversal, reserve_hold, reserve_release,
    reserve_transaction, reserved_funds, payment_network_reserve_hold, payment_network_reserve_release,
    stripe_balance_payment_debit, stripe_balance_payment_debit_reversal, advance, advance_funding,
    anticipation_repayment, contribution, climate_order_purchase, climate_order_refund,
    obligation_outbound, obligation_reversal_inbound, issuing_authorization_hold,
    issuing_authorization_release, issuing_dispute, issuing_transaction]
values:
  # The export only distinguishes cards from everything else.
  paymentMethod.paymentMethodType: { charge: PAYMENT_CARD, payment: OTHER }
amounts: major
assumeUtc: true
`,
  'stripe-payments': `# Stripe: Payments > Export, all columns. One record for each payment that was made or declined.
# Payments that customers never completed are left out.
map:
  paymentId: id
  currencyCode: Currency
  amount: Amount
  createdAt: Created date (UTC)
  # The metadata in which you keep the ID of the order.
  order.id: order_id (metadata)
  status: Status
  descriptor: Statement Descriptor
  paymentMethod.paymentMethodType: Payment Source Type
  paymentMethod.data.binData.network: Card Brand
  paymentMethod.data.binData.accountFundingType: Card Funding
  paymentMethod.data.binData.issuerCountryCode: Card Issue Country
const:
  processor.name: Stripe
where:
  Status:
    [Paid, Succeeded, succeeded, Refunded, Partially refunded, Partially Refunded, Partial refund, Refund
    pending, Disputed, Early fraud warning, Failed, failed, Blocked, Uncaptured, Requires capture,
    requires_capture, Canceled, canceled, Expired, Pending, pending, processing]
leaveOut:
  Status:
    - Incomplete
    - Requires payment method
    - Requires confirmation
    - Requires action
    - requires_payment_method
    - requires_confirmation
    - requires_action
values:
  status:
    Paid: SETTLED
    Succeeded: SETTLED
    Refunded: SETTLED
    Partially refunded: SETTLED
    Partially Refunded: SETTLED
    Partial refund: SETTLED
    Refund pending: SETTLED
    Disputed: SETTLED
    Early fraud warning: SETTLED
    Failed: DECLINED
    Blocked: DECLINED
    Uncaptured: AUTHORIZED
    Requires capture: AUTHORIZED
    requires_capture: AUTHORIZED
    Canceled: CANCELLED
    canceled: CANCELLED
    Expired: CANCELLED
    processing: PENDING
  paymentMethod.paymentMethodType: { card: PAYMENT_CARD, klarna: KLARNA, paypal: PAYPAL, ideal: IDEAL }
  paymentMethod.data.binData.network:
    American Express: AMEX
    Diners Club: DINERS_CLUB
    Cartes Bancaires: CARTES_BANCAIRES
    Unknown: ''
amounts: major
assumeUtc: true
`,
  'adyen-settlement': `# Adyen: Reports > Settlement details. One record for each settled payment.
# Refunds, chargebacks, fees, corrections and payouts are left out.
map:
  paymentId: Psp Reference
  currencyCode: Gross Currency
  amount: Gross Credit (GC)
  order.id: Merchant Reference
  processor.merchantId: Merchant Account
  paymentMethod.paymentMethodType: Payment Method
  paymentMethod.data.binData.network: Payment Method
join:
  createdAt: [Creation Date, TimeZone]
const:
  processor.name: Adyen
  status: SETTLED
where:
  Type:
    - Settled
    - SettledBulk
    - SettledExternallyWithInfo
    - SettledInInstallments
    - SettledInstallment
    - SettledInstallmentExternallyWithInfo
leaveOut:
  Type:
    [SettledReversed, Refunded, RefundedBulk, RefundedExternallyWithInfo, RefundedInInstallments,
    RefundedInstallment, RefundedInstallmentExternallyWithInfo, RefundedReversed, Chargeback,
    ChargebackExternallyWithInfo, ChargebackReversed, ChargebackReversedExternallyWithInfo,
    SecondChargeback, Fee, MiscCosts, PaymentCost, InvoiceDeduction, DepositCorrection, ManualCorrected,
    MatchedStatement, ReserveAdjustment, BalanceTransfer, Balancetransfer, Advancement,
    AdvancementCommission, AdvancementCommissionExternallyWithInfo, Cashback, MerchantPayin,
    MerchantPayout, MerchantPayoutReversed, AcquirerPayout, PaidOut, PaidOutExternallyWithInfo,
    PaidOutReversed, Converted]
values:
  paymentMethod.paymentMethodType:
    visa: PAYMENT_CARD
    mc: PAYMENT_CARD
    amex: PAYMENT_CARD
    maestro: PAYMENT_CARD
    discover: PAYMENT_CARD
    diners: PAYMENT_CARD
    jcb: PAYMENT_CARD
    cup: PAYMENT_CARD
    cartebancaire: PAYMENT_CARD
    paypal: PAYPAL
    ideal: IDEAL
    klarna: KLARNA
    klarna_paynow: KLARNA
    klarna_account: KLARNA
    applepay: APPLE_PAY
    paywithgoogle: GOOGLE_PAY
    googlepay: GOOGLE_PAY
  paymentMethod.data.binData.network:
    mc: MASTERCARD
    diners: DINERS_CLUB
    cup: UNIONPAY
    cartebancaire: CARTES_BANCAIRES
    paypal: ''
    ideal: ''
    klarna: ''
    klarna_paynow: ''
    klarna_account: ''
    applepay: ''
    paywithgoogle: ''
    googlepay: ''
dateFormat: yyyy-MM-dd HH:mm:ss z
amounts: major
`,
  'shopify-orders': `# Shopify: Orders > Export, plain CSV. One record for each paid or authorized order.
# Unpaid orders, and the further lines of an order with several items, are left out.
map:
  paymentId: Payment ID
  currencyCode: Currency
  amount: Total
  createdAt: Created at
  order.id: Id
  status: Financial Status
  processor.name: Payment Method
  paymentMethod.paymentMethodType: Payment Method
  metadata.name: Name
where:
  Financial Status: [paid, partially_paid, partially_refunded, refunded, authorized, voided]
leaveOut:
  # Further lines of an order have no status.
  Financial Status: [pending, unpaid, expired, '']
values:
  status:
    paid: SETTLED
    partially_paid: PARTIALLY_SETTLED
    partially_refunded: SETTLED
    refunded: SETTLED
    authorized: AUTHORIZED
    voided: CANCELLED
  paymentMethod.paymentMethodType:
    Shopify Payments: PAYMENT_CARD
    PayPal Express Checkout: PAYPAL
    Klarna: KLARNA
amounts: major
`,
  'paypal-activity': `# PayPal: Activity > Download, as CSV, in English. One record for each payment that you received.
# Refunds, fees, currency conversions and withdrawals are left out.
#
# PayPal writes dates and numbers as set in your account. Name the date format, in which z is the time zone:
#   --date-format 'MM/dd/yyyy HH:mm:ss z'    United States
#   --date-format 'dd/MM/yyyy HH:mm:ss z'    United Kingdom
#   --date-format 'dd.MM.yyyy HH:mm:ss z' --decimal-comma    Germany
map:
  paymentId: Transaction ID
  currencyCode: Currency
  amount: Gross
  order.id: Invoice Number
join:
  createdAt: [Date, Time, TimeZone]
const:
  processor.name: PayPal
  paymentMethod.paymentMethodType: PAYPAL
  status: SETTLED
where:
  Type:
    [Express Checkout Payment, Website Payment, Mobile Payment, PreApproved Payment Bill User Payment,
    Invoice Payment, General Payment, eBay Auction Payment, Donation Payment, Subscription Payment,
    Payment Review Release]
  # A refund is a row of its own; its payment stays one that you received.
  Status: [Completed, Refunded, Partially Refunded]
  Balance Impact: [Credit]
leaveOut:
  Type:
    [Payment Refund, Payment Reversal, Reversal, Fee Reversal, Payment Fee, Partner Fee, Chargeback,
    Chargeback Fee, Chargeback Reversal, Dispute Fee, Hold on Balance for Dispute Investigation,
    Cancellation of Hold for Dispute Resolution, General Authorization, Reauthorization, Void of
    Authorization, Authorization, Order, General Hold, General Hold Release, Account Hold for Open
    Authorization, Reversal of General Account Hold, Payment Hold, Payment Release, Payment Review Hold,
    Reserve Hold, Reserve Release, General Currency Conversion, User Initiated Currency Conversion,
    Currency Conversion Required to Cover Negative Balance, General Withdrawal, User Initiated
    Withdrawal, Auto-sweep, Withdrawal to Debit Card, Mass Pay Payment, MassPay Payment, Mass Pay
    Reversal, Bank Deposit to PP Account, General Card Deposit, General Credit Card Deposit, General
    Credit Card Withdrawal, General Funding of PayPal Account, Funds Transfer, Internal PayPal
    Transaction, General Adjustment, General Account Correction, Account Correction, General Bonus,
    General Credit, General Debit, Debit Card Cash Back Bonus, Request Received, Request Sent, Invoice
    Sent, Invoice Received]
  Status:
    [Pending, Denied, Reversed, Canceled, Cancelled, Expired, Failed, Held, Temporary Hold, Unclaimed,
    Returned, Removed, Voided, Active, Placed, Processing, Under Review, Created, Unverified, Uncleared,
    Cleared, Blocked, Paid, Unpaid]
  Balance Impact: [Debit, Memo]
thousandsComma: true
amounts: major
`,
}
