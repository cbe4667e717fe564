/** A saved payment method. */
export interface StoredInstrument {
  readonly token: string
  /** The fixed token whose scenario it follows. */
  readonly scenario: string
  readonly analyticsId: string
  readonly customerId: string
  readonly createdAt: string
  readonly deletedAt?: string | undefined
  readonly isDefault: boolean
  readonly isVerified: boolean
}
