import type { FieldKind, FieldSchema, FieldSet } from '../map/field-schema.ts'

/** The leaves of an external payment's record (spec 2.7), by path. */
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

/** The fields whose values come from a known set. */
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

/** The fields that every record needs (spec 2.7), in the order of the template. */
export const REQUIRED_FIELDS = [
  'paymentId',
  'currencyCode',
  'processor.name',
  'amount',
  'createdAt',
  'order.id',
  'paymentMethod.paymentMethodType',
] as const

/** The fields of an external payment's record. */
export const RECORD: FieldSchema = {
  noun: 'record',
  kinds: RECORD_FIELDS,
  hasMetadata: true,
  required: REQUIRED_FIELDS,
  sets: FIELD_SETS,
  id: 'paymentId',
  currency: 'currencyCode',
  reasonColumn: 'reason',
  hints: {
    header: 'It must start with a header. pay observability template prints one.',
    mapping:
      'Name columns with --map FIELD=COLUMN, and values that are the same in every row with --const FIELD=VALUE. pay observability template FILE suggests both.',
  },
}
