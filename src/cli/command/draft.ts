/** A request under construction. */
export interface Draft {
  readonly params: Readonly<Record<string, string>>
  readonly query: Readonly<Record<string, string>>
  /** Undefined as long as no part of a body is given. */
  readonly body: unknown
  /** What was typed of an amount that only the payment can complete or confirm. */
  readonly money: MoneyInput | undefined
  /** Path parameters that are looked up only when sending, each with a description. Set only when nothing is sent. */
  readonly unresolved?: Readonly<Record<string, string>>
}

export interface MoneyInput {
  /** The amount as typed: a bare decimal needs the payment's currency. */
  readonly text: string | undefined
  /** The currency as typed, to check against the payment's. */
  readonly currencyCode: string | undefined
}
