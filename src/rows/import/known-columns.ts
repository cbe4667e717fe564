/** How exports of other systems name the fields of a record. Only whole names match. */

/**
 * The names by field, in the form of {@link plainName}, the most certain first. Names on one line are equally certain, so two
 * of them in one file are ambiguous. Leaves out names that can also mean a person, an address or a line item.
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

/** An export that needs a note, recognized by columns that no other export has. */
interface KnownExport {
  readonly has: readonly string[]
  /** Fields by column, for names that mean something else in other files. */
  readonly meanings: Readonly<Record<string, string>>
  readonly note: string
}

export const KNOWN_EXPORTS: readonly KnownExport[] = [
  {
    has: ['financialstatus', 'lineitemname'],
    meanings: { id: 'order.id' },
    note: `This looks like an export of Shopify orders, where "Id" is the order's ID. Only the first row of each order has a total; the other rows are rejected.`,
  },
  {
    has: ['pspreference', 'grosscreditgc', 'grossdebitgc'],
    meanings: {},
    note: 'This looks like an Adyen settlement report. Refunds, chargebacks and fees have no gross credit, so their rows are rejected.',
  },
]

/** Words for names of people, and for what identifies them: addresses, phone numbers, accounts. */
const PERSONAL_WORDS = new Set(
  [
    'email mail phone telephone tel mobile fax contact',
    'address addr street city town zip zipcode postcode postal province',
    'firstname lastname surname fullname username nickname cardholder',
    'customer shopper buyer payer payee recipient sender holder client user',
    'birth birthday birthdate dob ip iban ssn passport',
  ].flatMap((line) => line.split(' ')),
)
/** Words for things whose name is not a person's. */
const IMPERSONAL_WORDS = new Set(
  'processor psp gateway provider acquirer issuer bank product item lineitem network scheme file report'.split(
    ' ',
  ),
)

/** Whether a column may identify a person. Errs on the side of yes. */
export function isPersonal(column: string): boolean {
  const words = wordsOf(column)
  if (words.some((word) => PERSONAL_WORDS.has(word)) || PERSONAL_WORDS.has(words.join(''))) return true
  return words.includes('name') && !words.some((word) => IMPERSONAL_WORDS.has(word))
}

const wordsOf = (column: string): readonly string[] =>
  column
    .replaceAll(/(\p{Ll})(\p{Lu})/gu, '$1 $2')
    .toLowerCase()
    .split(/[^\p{L}]+/u)
    .filter((word) => word !== '')

/** Suffixes of column names: `Created date (UTC)`, `created_utc`, `order_id (metadata)`. */
const UTC = /\(utc\)\s*$|[\s_]utc\s*$/i
const OF_METADATA = /\(metadata\)[\s_]*$/i

/** Whether a column name says that its times are in UTC. */
export const saysUtc = (column: string): boolean => UTC.test(column)

/** The name in lower-case letters and digits, for comparison. */
export const plainName = (column: string): string =>
  column
    .replace(UTC, '')
    .replace(OF_METADATA, '')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]/g, '')
