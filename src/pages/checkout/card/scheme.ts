/** A card scheme, as far as a form needs it. */
export interface Scheme {
  /** The name in the API, such as `VISA`. */
  readonly network: string
  readonly name: string
  /** Numbers of digits that its cards have. */
  readonly lengths: readonly number[]
  readonly codeLength: 3 | 4
  /** Digits per group, as printed on the card. Further digits form the last group. */
  readonly groups: readonly number[]
}

const FOURS = [4, 4, 4, 4]
const FROM_16_TO_19 = [16, 17, 18, 19]

/** The known schemes. The first match wins, so a narrow range comes before a wide one. */
const SCHEMES: readonly (Scheme & { readonly prefix: RegExp })[] = [
  { prefix: /^4/, network: 'VISA', name: 'Visa', lengths: [13, 16, 19], codeLength: 3, groups: FOURS },
  {
    prefix: /^(?:5[1-5]|222[1-9]|22[3-9]|2[3-6]|27[01]|2720)/,
    network: 'MASTERCARD',
    name: 'Mastercard',
    lengths: [16],
    codeLength: 3,
    groups: FOURS,
  },
  {
    prefix: /^3[47]/,
    network: 'AMEX',
    name: 'American Express',
    lengths: [15],
    codeLength: 4,
    groups: [4, 6, 5],
  },
  {
    prefix: /^(?:30[0-5]|3095|3[689])/,
    network: 'DINERS_CLUB',
    name: 'Diners Club',
    lengths: [14, ...FROM_16_TO_19],
    codeLength: 3,
    groups: [4, 6, 4],
  },
  {
    prefix: /^35(?:2[89]|[3-8])/,
    network: 'JCB',
    name: 'JCB',
    lengths: FROM_16_TO_19,
    codeLength: 3,
    groups: FOURS,
  },
  {
    prefix: /^(?:6011|64[4-9]|65)/,
    network: 'DISCOVER',
    name: 'Discover',
    lengths: FROM_16_TO_19,
    codeLength: 3,
    groups: FOURS,
  },
  {
    prefix: /^62/,
    network: 'UNIONPAY',
    name: 'UnionPay',
    lengths: FROM_16_TO_19,
    codeLength: 3,
    groups: FOURS,
  },
  {
    prefix: /^(?:50|5[6-9]|6)/,
    network: 'MAESTRO',
    name: 'Maestro',
    lengths: [12, 13, 14, 15, ...FROM_16_TO_19],
    codeLength: 3,
    groups: FOURS,
  },
]

/** The scheme of a complete or partly typed card number; undefined while it is unknown. */
export function schemeOf(digits: string): Scheme | undefined {
  return SCHEMES.find(({ prefix }) => prefix.test(digits))
}

/** The name that customers know; a network without one is shown as the API writes it. */
export function networkName(network: string): string {
  return SCHEMES.find((scheme) => scheme.network === network)?.name ?? network
}
