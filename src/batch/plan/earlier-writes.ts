/** What this machine knows of writes on payments. All answers are in words, and undefined if there is none. */
export interface EarlierWrites {
  /** A write on the payment whose outcome is unknown. */
  readonly openOn: (paymentId: string) => string | undefined
  /** How the ticket was used for this operation on the payment. */
  readonly useOfTicket: (paymentId: string, ticket: string) => string | undefined
  /** A write of this operation and amount on the payment that was done. */
  readonly equalTo: (
    paymentId: string,
    amount: number | undefined,
    currencyCode: string,
  ) => string | undefined
}
