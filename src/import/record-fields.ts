import type { SetName } from '../api/sets.ts'

type FieldSet = Exclude<SetName, 'currencyCode' | 'utcDatetime'>

/** How a cell of a field is read. `id` and `code` are text too, of which a spreadsheet likes to make something else. */
export type FieldKind = 'id' | 'text' | 'code' | 'amount' | 'currency' | 'datetime' | 'flag'

/** The leaves of an external payment's record (spec 2.7), by path. `metadata.` stands before keys of one's own. */
export const RECORD_FIELDS: Readonly<Record<string, FieldKind>> = {
  paymentId: 'id',
  currencyCode: 'currency',
  'processor.name': 'text',
  'processor.merchantId': 'id',
  amount: 'amount',
  createdAt: 'datetime',
  'order.id': 'id',
  'order.countryCode': 'code',
  'paymentMethod.paymentMethodType': 'code',
  'paymentMethod.data.first6Digits': 'id',
  'paymentMethod.data.binData.network': 'code',
  'paymentMethod.data.binData.issuerCountryCode': 'code',
  'paymentMethod.data.binData.issuerName': 'text',
  'paymentMethod.data.binData.issuerCurrencyCode': 'code',
  'paymentMethod.data.binData.regionalRestriction': 'code',
  'paymentMethod.data.binData.accountNumberType': 'code',
  'paymentMethod.data.binData.accountFundingType': 'code',
  'paymentMethod.data.binData.prepaidReloadableIndicator': 'code',
  'paymentMethod.data.binData.productUsageType': 'code',
  'paymentMethod.data.binData.productCode': 'code',
  'paymentMethod.data.binData.productName': 'text',
  'paymentMethod.threeDSecureAuthentication.transStatus': 'code',
  'paymentMethod.threeDSecureAuthentication.transStatusReason': 'code',
  'paymentMethod.threeDSecureAuthentication.responseCode': 'code',
  'paymentMethod.threeDSecureAuthentication.challengeIssued': 'flag',
  'paymentMethod.threeDSecureAuthentication.protocolVersion': 'id',
  'paymentMethod.threeDSecureAuthentication.reasonCode': 'code',
  'paymentMethod.threeDSecureAuthentication.reasonText': 'text',
  'paymentMethod.threeDSecureAuthentication.eci': 'id',
  status: 'code',
  'statusReason.type': 'code',
  'statusReason.declineType': 'code',
  'statusReason.code': 'code',
  'statusReason.message': 'text',
  paymentType: 'code',
  descriptor: 'text',
}

/** The fields whose values come from a set that is known. Currencies and times are read as such. */
export const FIELD_SETS: Readonly<Record<string, FieldSet>> = {
  'order.countryCode': 'countryCode',
  'paymentMethod.data.binData.network': 'cardNetwork',
  'paymentMethod.data.binData.issuerCountryCode': 'countryCode',
  'paymentMethod.data.binData.accountFundingType': 'accountFundingType',
  'paymentMethod.threeDSecureAuthentication.responseCode': 'threeDSecureResponseCode',
  status: 'paymentStatus',
  'statusReason.type': 'statusReasonType',
  'statusReason.declineType': 'declineType',
  'statusReason.code': 'statusReasonCode',
  paymentType: 'paymentType',
}

/** What every record has to have (spec 2.7), in the order in which a template shows them. */
export const REQUIRED_FIELDS = [
  'paymentId',
  'currencyCode',
  'processor.name',
  'amount',
  'createdAt',
  'order.id',
  'paymentMethod.paymentMethodType',
] as const

export const METADATA = 'metadata.'

/** The column in which rejects say why: in a mended file it is still there, and goes nowhere. */
export const REASON = 'reason'

export const kindOf = (path: string): FieldKind | undefined =>
  path.startsWith(METADATA) && path.length > METADATA.length
    ? 'text'
    : Object.hasOwn(RECORD_FIELDS, path)
      ? RECORD_FIELDS[path]
      : undefined

/** Where a field stands in the body. A key of metadata may hold dots. */
export const segmentsOf = (path: string): readonly string[] =>
  path.startsWith(METADATA) ? ['metadata', path.slice(METADATA.length)] : path.split('.')
