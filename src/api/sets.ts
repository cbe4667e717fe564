import { ERROR_STATUS } from './error-ids.ts'

/**
 * Named sets of values (spec 2; gaps filled from similar services). The service accepts only these values in requests. The
 * client refuses other values of a `closed` set, warns about other values of an open set, and accepts every value in
 * responses.
 */
export interface NamedSet {
  readonly closed: boolean
  readonly values?: readonly string[]
  /** The pattern of the values and its description, if there are too many values to list. */
  readonly form?: { readonly pattern: RegExp; readonly words: string }
}

export const PAYMENT_TYPES = [
  'FIRST_PAYMENT',
  'ECOMMERCE',
  'SUBSCRIPTION',
  'UNSCHEDULED',
  'MOTO',
  'IN_STORE',
] as const
export const PAYMENT_STATUSES = [
  'PENDING',
  'AUTHORIZED',
  'SETTLING',
  'PARTIALLY_SETTLED',
  'SETTLED',
  'DECLINED',
  'FAILED',
  'CANCELLED',
] as const
const LOYALTY_TYPES = ['REDEMPTION', 'REFUND'] as const

export const CARD_NETWORKS = [
  'AMEX',
  'CARTES_BANCAIRES',
  'DANKORT',
  'DINERS_CLUB',
  'DISCOVER',
  'ELO',
  'HIPER',
  'INTERAC',
  'JCB',
  'MAESTRO',
  'MASTERCARD',
  'MIR',
  'PRIVATE_LABEL',
  'UNIONPAY',
  'VISA',
  'OTHER',
] as const

/** The 249 officially assigned codes of ISO 3166-1 alpha-2. Not from `Intl`, which adds EU, XK and others. */
const ASSIGNED =
  'AD AE AF AG AI AL AM AO AQ AR AS AT AU AW AX AZ BA BB BD BE BF BG BH BI BJ BL BM BN BO BQ BR BS BT BV ' +
  'BW BY BZ CA CC CD CF CG CH CI CK CL CM CN CO CR CU CV CW CX CY CZ DE DJ DK DM DO DZ EC EE EG EH ER ES ' +
  'ET FI FJ FK FM FO FR GA GB GD GE GF GG GH GI GL GM GN GP GQ GR GS GT GU GW GY HK HM HN HR HT HU ID IE ' +
  'IL IM IN IO IQ IR IS IT JE JM JO JP KE KG KH KI KM KN KP KR KW KY KZ LA LB LC LI LK LR LS LT LU LV LY ' +
  'MA MC MD ME MF MG MH MK ML MM MN MO MP MQ MR MS MT MU MV MW MX MY MZ NA NC NE NF NG NI NL NO NP NR NU ' +
  'NZ OM PA PE PF PG PH PK PL PM PN PR PS PT PW PY QA RE RO RS RU RW SA SB SC SD SE SG SH SI SJ SK SL SM ' +
  'SN SO SR SS ST SV SX SY SZ TC TD TF TG TH TJ TK TL TM TN TO TR TT TV TW TZ UA UG UM US UY UZ VA VC VE ' +
  'VG VI VN VU WF WS YE YT ZA ZM ZW'

export const COUNTRY_CODES: readonly string[] = ASSIGNED.split(' ')

export type PaymentStatus = (typeof PAYMENT_STATUSES)[number]

const open = (values: readonly string[]): NamedSet => ({ closed: false, values })
const closed = (values: readonly string[]): NamedSet => ({ closed: true, values })

/** A day in the calendar: 29 February only in leap years. */
const DAY =
  '(\\d{4}-((0[13578]|1[02])-(0[1-9]|[12]\\d|3[01])|(0[469]|11)-(0[1-9]|[12]\\d|30)|02-(0[1-9]|1\\d|2[0-8]))|' +
  '(\\d{2}(0[48]|[2468][048]|[13579][26])|([02468][048]|[13579][26])00)-02-29)'
const MINUTE = '([01]\\d|2[0-3]):[0-5]\\d'
const SECOND = ':[0-5]\\d(\\.\\d{1,9})?'

export const SETS = {
  paymentType: closed(PAYMENT_TYPES),
  loyaltyType: closed(LOYALTY_TYPES),
  /** ISO 4217. The list is in `money`; callers of `findUnknownEntries` pass it. */
  currencyCode: { closed: true, form: { pattern: /^[A-Z]{3}$/, words: 'an ISO 4217 code such as EUR' } },
  /** ISO 3166-1. */
  countryCode: {
    closed: false,
    values: COUNTRY_CODES,
    form: { pattern: /^[A-Z]{2}$/, words: 'an ISO 3166-1 code such as DE' },
  },
  utcDatetime: {
    closed: true,
    form: {
      pattern: new RegExp(`^${DAY}T${MINUTE}${SECOND}(Z|[+-]00:00)?$`),
      words: 'an existing date and time in UTC, in ISO 8601, such as 2026-01-31T09:30:00Z',
    },
  },
  /** What a record was created at, in any notation. */
  creationTime: {
    closed: true,
    form: {
      pattern: new RegExp(`^${DAY}[T ]${MINUTE}(${SECOND})?(Z|[+-]([01]\\d|2[0-3]):?[0-5]\\d)?$`),
      words: 'the date and time of the record, in ISO 8601: it cannot be changed',
    },
  },
  paymentStatus: open(PAYMENT_STATUSES),
  productType: open(['PHYSICAL', 'DIGITAL']),
  authorizationType: open(['FINAL', 'ESTIMATED']),
  statusReasonType: open(['APPLICATION_ERROR', 'GATEWAY_REJECTED', 'ISSUER_DECLINED', 'GATEWAY_TIMEOUT']),
  declineType: open(['SOFT_DECLINE', 'HARD_DECLINE']),
  statusReasonCode: open([
    'ERROR',
    'INVALID_CARD_NUMBER',
    'EXPIRED_CARD',
    'LOST_OR_STOLEN_CARD',
    'SUSPECTED_FRAUD',
    'UNKNOWN',
    'DECLINED',
    'REFER_TO_CARD_ISSUER',
    'DO_NOT_HONOR',
    'INSUFFICIENT_FUNDS',
    'WITHDRAWAL_LIMIT_EXCEEDED',
    'ISSUER_TEMPORARILY_UNAVAILABLE',
    'AUTHENTICATION_REQUIRED',
  ]),
  threeDSecureResponseCode: open([
    'NOT_PERFORMED',
    'SKIPPED',
    'AUTH_SUCCESS',
    'AUTH_FAILED',
    'CHALLENGE',
    'METHOD',
  ]),
  cardNetwork: open(CARD_NETWORKS),
  accountFundingType: open(['CREDIT', 'DEBIT', 'PREPAID', 'CHARGE', 'DEFERRED_DEBIT', 'UNKNOWN']),
  errorId: open(Object.keys(ERROR_STATUS)),
} as const satisfies Record<string, NamedSet>

export type SetName = keyof typeof SETS
