/** What the exports of other systems call the fields of a record. A column is matched by its whole name, never by a part of it. */

/**
 * By field: names in the form of {@link plainName}, the surest first. Names on one line are equally good, so two of
 * them in one file are ambiguous. A name that can also mean a person, an address or a line item stands nowhere here.
 */
export const KNOWN_COLUMNS: Readonly<Record<string, readonly (readonly string[])[]>> = {
  paymentId: [
    ['paymentid'],
    ['id', 'transactionid', 'txnid', 'pspreference', 'chargeid', 'externalid', 'externalpaymentid'],
    ['paymentintentid', 'paymentreference'],
  ],
  currencyCode: [
    ['currencycode', 'currency', 'currencyiso', 'isocurrency', 'ccy'],
    ['grosscurrency', 'paymentcurrency', 'transactioncurrency'],
  ],
  'processor.name': [
    ['processor', 'processorname', 'paymentprocessor'],
    ['psp', 'pspname', 'paymentprovider', 'paymentgateway', 'gateway', 'acquirer', 'provider'],
  ],
  'processor.merchantId': [['processormerchantid'], ['merchantid', 'merchantaccount', 'mid']],
  amount: [
    ['amount', 'amountminor', 'amountcents', 'amountincents'],
    ['gross', 'grossamount', 'grosscreditgc', 'transactionamount', 'paymentamount'],
    ['total', 'totalamount', 'ordertotal', 'grandtotal'],
    ['cents', 'value'],
  ],
  createdAt: [
    ['createdat', 'created', 'createddate', 'creationdate', 'createdon'],
    ['paymentdate', 'transactiondate'],
    ['datetime', 'timestamp'],
    ['date'],
  ],
  'order.id': [
    ['orderid'],
    ['ordernumber', 'merchantorderid'],
    ['merchantreference', 'orderreference', 'order'],
    ['invoicenumber'],
  ],
  'order.countryCode': [['ordercountrycode', 'ordercountry']],
  'paymentMethod.paymentMethodType': [['paymentmethodtype'], ['paymentmethod'], ['method']],
  'paymentMethod.data.binData.network': [
    ['cardnetwork'],
    ['cardbrand', 'cardscheme'],
    ['network', 'scheme', 'brand', 'cardtype'],
  ],
  'paymentMethod.data.binData.issuerCountryCode': [
    ['issuercountrycode', 'issuercountry', 'cardissuecountry', 'cardcountry'],
  ],
  'paymentMethod.data.first6Digits': [
    ['first6digits', 'first6'],
    ['cardbin', 'bin', 'iin'],
  ],
  status: [['status'], ['paymentstatus', 'transactionstatus'], ['state']],
  descriptor: [['statementdescriptor'], ['descriptor', 'softdescriptor', 'dynamicdescriptor']],
}

/** An export that needs a word, known by columns that no other has. */
interface KnownExport {
  readonly has: readonly string[]
  /** Fields of columns whose names mean something else in every other file. */
  readonly meanings: Readonly<Record<string, string>>
  readonly note: string
}

export const KNOWN_EXPORTS: readonly KnownExport[] = [
  {
    has: ['financialstatus', 'lineitemname'],
    meanings: { id: 'order.id' },
    note: 'This looks like an export of Shopify orders, where "Id" is the ID of the order. The second and further rows of an order have no total and are refused.',
  },
  {
    has: ['pspreference', 'grosscreditgc', 'grossdebitgc'],
    meanings: {},
    note: 'This looks like an Adyen settlement report. Refunds, chargebacks and fees have no gross credit, so their rows are refused.',
  },
]

/** Names of persons, and what leads to one: their addresses, numbers and accounts. */
const PERSONAL_WORDS = new Set(
  [
    'email mail phone telephone tel mobile fax contact',
    'address addr street city town zip zipcode postcode postal province',
    'firstname lastname surname fullname username nickname cardholder',
    'customer shopper buyer payer payee recipient sender holder client user',
    'birth birthday birthdate dob ip iban ssn passport',
  ].flatMap((line) => line.split(' ')),
)
/** Whose name is no person's. */
const NAMELESS_THINGS = new Set(
  'processor psp gateway provider acquirer issuer bank product item lineitem network scheme file report'.split(
    ' ',
  ),
)

/** Whether a column may name a person or lead to one. In doubt it does. */
export function isPersonal(column: string): boolean {
  const words = wordsOf(column)
  if (words.some((word) => PERSONAL_WORDS.has(word)) || PERSONAL_WORDS.has(words.join(''))) return true
  return words.includes('name') && !words.some((word) => NAMELESS_THINGS.has(word))
}

const wordsOf = (column: string): readonly string[] =>
  column
    .replaceAll(/(\p{Ll})(\p{Lu})/gu, '$1 $2')
    .toLowerCase()
    .split(/[^\p{L}]+/u)
    .filter((word) => word !== '')

/** What a name says beside its own words: `Created date (UTC)`, `created_utc`, `order_id (metadata)`. */
const UTC = /[\s_]*\(utc\)\s*$|[\s_]utc\s*$/i
const OF_METADATA = /\s*\(metadata\)\s*$/i

export const saysUtc = (column: string): boolean => UTC.test(column)

/** For comparing: lower-case letters and digits alone. */
export const plainName = (column: string): string =>
  column
    .replace(UTC, '')
    .replace(OF_METADATA, '')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]/g, '')
