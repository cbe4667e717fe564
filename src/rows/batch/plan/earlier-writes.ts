/** The knowledge of this machine about earlier writes to payments. Each function describes the write, or returns undefined. */
export interface EarlierWrites {
  /** A write on the payment whose outcome is unknown. */
  readonly openOn: (paymentId: string) => string | undefined
  /** The use of the ticket for this operation on the payment. */
  readonly useOfTicket: (paymentId: string, ticket: string) => string | undefined
  /** A write of this operation and amount on the payment that was done. */
  readonly equalTo: (
    paymentId: string,
    amount: number | undefined,
    currencyCode: string,
  ) => string | undefined
}
