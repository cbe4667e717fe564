/** The filters for a list of payments. A filter with several values matches any of them. */
export interface PaymentFilter {
  readonly status?: readonly string[]
  readonly orderId?: readonly string[]
  readonly customerId?: readonly string[]
  readonly currencyCode?: readonly string[]
  readonly fromDate?: string
  readonly toDate?: string
  readonly minAmount?: number
  readonly maxAmount?: number
  readonly processor?: readonly string[]
  readonly merchantId?: readonly string[]
  /** Case-insensitive. */
  readonly customerEmail?: readonly string[]
  /** Tokens of scenarios: these decide how a payment method is shown. */
  readonly scenario?: readonly string[]
}
