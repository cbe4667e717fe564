/** A token from `tokenize`. The card number is never stored: the scenario says what to show of it. */
export interface SingleUseToken {
  readonly token: string
  /** The fixed token whose scenario it follows. */
  readonly scenario: string
  readonly analyticsId: string
  /** The client session that the token belongs to. */
  readonly sessionIdHash?: string | undefined
  /** The saved method that it pays with. */
  readonly savedMethod?: string | undefined
  readonly spent: boolean
  /** The token of the saved method made from it; vaulting again returns that method. */
  readonly vaultedAs?: string | undefined
}
