/** A request under construction. */
export interface Draft {
  readonly params: Readonly<Record<string, string>>
  readonly query: Readonly<Record<string, string>>
  /** Undefined until a part of a body is given. */
  readonly body: unknown
  /** A typed amount or currency that needs the payment: to complete it, or to check it. */
  readonly money: MoneyInput | undefined
  /** Path parameters that a dry run leaves unresolved, each with a description. */
  readonly unresolved?: Readonly<Record<string, string>>
}

interface MoneyInput {
  /** An amount without its currency, such as `7.00`, which takes the payment's. */
  readonly decimal: string | undefined
  /** The currency as typed, to check against the payment's. */
  readonly currencyCode: string | undefined
}
