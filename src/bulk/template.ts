import { closest } from '../suggest.ts'
import { RECORD_FIELDS, REQUIRED_FIELDS, kindOf } from './record-fields.ts'

/** A row as it is to look, by field. */
const EXAMPLE: Readonly<Record<string, string>> = {
  paymentId: 'ext-1',
  currencyCode: 'EUR',
  'processor.name': 'ACME',
  amount: '2500',
  createdAt: '2026-01-31T09:30:00Z',
  'order.id': 'order-1',
  'paymentMethod.paymentMethodType': 'PAYMENT_CARD',
  status: 'SETTLED',
  'metadata.store': 'berlin-1',
}

export const TEMPLATE_FIELDS: readonly string[] = Object.keys(EXAMPLE)
export const templateRow = (): readonly string[] => Object.values(EXAMPLE)

/** What other systems call these. Compared without case and signs. */
const OTHER_NAMES: Readonly<Record<string, readonly string[]>> = {
  paymentId: [
    'id',
    'transactionid',
    'transaction',
    'paymentreference',
    'reference',
    'chargeid',
    'pspreference',
    'externalid',
  ],
  currencyCode: ['currency', 'ccy', 'currencyiso', 'isocurrency'],
  'processor.name': ['processor', 'psp', 'gateway', 'provider', 'acquirer'],
  'processor.merchantId': ['merchantid', 'merchantaccount', 'mid'],
  amount: ['total', 'value', 'amountminor', 'amountcents', 'cents', 'gross', 'grossamount', 'price'],
  createdAt: [
    'created',
    'date',
    'datetime',
    'timestamp',
    'createddate',
    'creationdate',
    'transactiondate',
    'createdutc',
    'bookingdate',
  ],
  'order.id': [
    'order',
    'orderid',
    'ordernumber',
    'orderreference',
    'merchantreference',
    'invoice',
    'invoicenumber',
  ],
  'order.countryCode': ['country', 'countrycode'],
  'paymentMethod.paymentMethodType': ['method', 'paymentmethod', 'paymentmethodtype', 'type', 'instrument'],
  'paymentMethod.data.binData.network': ['network', 'scheme', 'cardtype', 'brand', 'cardbrand'],
  'paymentMethod.data.first6Digits': ['bin', 'first6', 'iin'],
  status: ['state', 'paymentstatus', 'transactionstatus'],
  descriptor: ['statementdescriptor', 'statement'],
}

export interface Suggestion {
  readonly field: string
  readonly column: string
}

/** Which columns of a foreign header look like fields. Those that have a field's name already need no word. */
export function suggestMapping(header: readonly string[]): {
  readonly suggestions: readonly Suggestion[]
  readonly missing: readonly string[]
} {
  const given = header.filter((name) => kindOf(name) !== undefined)
  const suggestions: Suggestion[] = []
  for (const column of header.filter((name) => kindOf(name) === undefined)) {
    const field = fieldLike(column)
    const isTaken =
      field === undefined || given.includes(field) || suggestions.some((one) => one.field === field)
    if (!isTaken) suggestions.push({ field, column })
  }
  const missing = REQUIRED_FIELDS.filter(
    (field) => !given.includes(field) && !suggestions.some((one) => one.field === field),
  )
  return { suggestions, missing }
}

function fieldLike(column: string): string | undefined {
  const plain = plainName(column)
  const known = Object.entries(OTHER_NAMES).find(([, names]) => names.includes(plain))?.[0]
  if (known !== undefined) return known
  const fields = Object.keys(RECORD_FIELDS)
  const alike = fields.find(
    (path) => plainName(path) === plain || plainName(path.split('.').at(-1) ?? '') === plain,
  )
  return alike ?? closest(column, fields)
}

const plainName = (text: string): string => text.toLowerCase().replaceAll(/[^a-z0-9]/g, '')
