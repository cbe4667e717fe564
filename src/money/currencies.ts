/**
 * ISO 4217, list one with its amendments up to 180, grouped by the number of decimals.
 * Not from `Intl`, which follows everyday use instead of ISO: it gives HUF, IDR and PKR no decimals.
 */
const BY_EXPONENT: readonly (readonly [exponent: number, codes: string])[] = [
  [
    2,
    'AED AFN ALL AMD AOA ARS AUD AWG AZN BAM BBD BDT BMD BND BOB BOV BRL BSD BTN BWP BYN BZD CAD CDF CHE CHF CHW ' +
      'CNY COP COU CRC CUP CVE CZK DKK DOP DZD EGP ERN ETB EUR FJD FKP GBP GEL GHS GIP GMD GTQ GYD HKD HNL HTG ' +
      'HUF IDR ILS INR IRR JMD KES KGS KHR KPW KYD KZT LAK LBP LKR LRD LSL MAD MDL MGA MKD MMK MNT MOP MRU MUR ' +
      'MVR MWK MXN MXV MYR MZN NAD NGN NIO NOK NPR NZD PAB PEN PGK PHP PKR PLN QAR RON RSD RUB SAR SBD SCR SDG ' +
      'SEK SGD SHP SLE SOS SRD SSP STN SVC SYP SZL THB TJS TMT TOP TRY TTD TWD TZS UAH USD USN UYU UZS VED VES ' +
      'WST XAD XCD XCG YER ZAR ZMW ZWG',
  ],
  [0, 'BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF'],
  [3, 'BHD IQD JOD KWD LYD OMR TND'],
  [4, 'CLF UYW'],
  // ISO lists no minor unit ("N.A."): the value is used as it is (spec 2).
  [0, 'XAG XAU XBA XBB XBC XBD XDR XPD XPT XSU XTS XUA XXX'],
  // Withdrawn in 2024 or later; existing payments can still be refunded and recorded.
  [2, 'ANG BGN CUC'],
]

const EXPONENTS: ReadonlyMap<string, number> = new Map(
  BY_EXPONENT.flatMap(([exponent, codes]) => codes.split(' ').map((code) => [code, exponent] as const)),
)

/**
 * Currencies whose minor units some providers count with other decimals than ISO 4217: Stripe (ISK, MGA, UGX), Adyen (CLP, CVE,
 * IDR, ISK) and SumUp (COP, HUF), as they document.
 */
export const COUNTED_OTHERWISE: ReadonlySet<string> = new Set([
  'CLP',
  'COP',
  'CVE',
  'HUF',
  'IDR',
  'ISK',
  'MGA',
  'UGX',
])

/** Every accepted code, sorted. */
export const CURRENCY_CODES: readonly string[] = [...EXPONENTS.keys()].toSorted()

/** Number of decimals; undefined for an unknown code. */
export function exponentOf(code: string): number | undefined {
  return EXPONENTS.get(code)
}
