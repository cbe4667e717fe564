/** What must come of a file: its rows, or a question. */
export interface Expected {
  readonly file: string
  readonly job: 'import' | 'refund' | 'capture' | 'cancel' | 'reconcile'
  /** Flags that `template` needs. */
  readonly flags?: string
  /** The command for a file that has no template. */
  readonly command?: string
  /** The words of exit 2, from `template` or from the command that it prints. */
  readonly refused?: string
  /** Fields and flags that must be left open: only the user knows them. */
  readonly asks?: readonly string[]
  /** Answers by field, if it is asked for. `=COLUMN` maps it; `in the mapping` leaves it to `mapping`. */
  readonly answers?: Readonly<Record<string, string>>
  /** The mapping file, if one is asked for. */
  readonly mapping?: string
  /** Flags that the user adds, unless the command has them. */
  readonly also?: Readonly<Record<string, string>>
  /** `ID AMOUNT CURRENCY TIME` of each record by ID, `ID AMOUNT CURRENCY` of each row of a plan, or verdicts and totals. Without it, asking is all. */
  readonly rows?: readonly string[]
  /** Words about the rows that are bad, by their number. */
  readonly bad?: Readonly<Record<string, string>>
}

/** Refunds of five orders, which most of the lists have. */
const refundsOf = (prefix: string, currency: string, start = 1): readonly string[] =>
  [2000, 550, 100_999, 10_000, 50].map((amount, index) => `${prefix}-${start + index} ${amount} ${currency}`)

/** Payments of five orders, as several programs write them. */
const paymentsOf = (prefix: string, amounts: readonly string[] = FIVE): readonly string[] =>
  ['05T10:22:33', '05T11:00:00', '05T12:00:00', '06T08:00:00', '06T09:30:15'].map(
    (time, index) => `${prefix}-${index + 1} ${amounts[index]} 2026-01-${time}Z`,
  )
const FIVE = ['1250 EUR', '99 EUR', '700 EUR', '500 EUR', '10000 EUR']

export const EXPECTED: readonly Expected[] = [
  // Providers and shops
  {
    file: 'stripe-payments.csv',
    job: 'import',
    rows: [
      'ch_7Ha1 5990 EUR 2026-01-05T08:15:00Z',
      'ch_7Ha2 7500 JPY 2026-01-05T09:00:30Z',
      'ch_7Ha3 104000 USD 2026-01-05T23:59:59Z',
      'ch_7Ha4 1800 EUR 2026-01-06T10:10:10Z',
    ],
  },
  {
    file: 'stripe-balance.csv',
    job: 'import',
    rows: ['ch_8b1 8900 EUR 2026-01-10T12:00:00Z', 'py_8b2 1550 EUR 2026-01-10T12:05:00Z'],
  },
  {
    file: 'stripe-intents.csv',
    job: 'import',
    answers: { 'order.id': 'Description' },
    mapping:
      'map: {status: Status}\nvalues: {status: {succeeded: SETTLED, requires_payment_method: PENDING}}\n',
    rows: [
      'pi_9a1 1250 GBP 2026-01-08T10:00:00Z',
      'pi_9a2 3000 GBP 2026-01-08T10:05:00Z',
      'pi_9a3 800 GBP 2026-01-08T10:06:00Z',
      'pi_9a4 120099 GBP 2026-01-08T11:00:00Z',
      'pi_9a5 50 GBP 2026-01-09T11:00:00Z',
    ],
  },
  {
    file: 'adyen-settlement.csv',
    job: 'import',
    rows: [
      'QFQTPCQ8HXSKGK82 3495 EUR 2026-01-20T09:00:00Z',
      'QFQTPCQ8HXSKGK83 12000 EUR 2026-01-20T10:30:00Z',
    ],
  },
  {
    file: 'paypal-us.csv',
    job: 'import',
    rows: [
      '8AA11111AA111111A 104000 USD 2026-01-14T16:00:00Z',
      '8AA11111AA111112A 2500 USD 2026-01-15T05:30:00Z',
      '8AA11111AA111115A 725 USD 2026-01-17T15:00:00Z',
    ],
  },
  {
    file: 'paypal-de.csv',
    job: 'import',
    asks: ['--mapping'],
    answers: {
      paymentId: 'Transaktionscode',
      amount: 'Brutto',
      createdAt: 'in the mapping',
      'order.id': 'Rechnungsnummer',
      currencyCode: '=Währung',
    },
    mapping:
      'join: {createdAt: [Datum, Uhrzeit]}\namounts: major\ndecimalComma: true\nwhere: {Typ: [PayPal Express-Zahlung, Website-Zahlung]}\n',
    rows: [
      '9BB11111AA111111A 104000 EUR 2026-01-14T07:00:00Z',
      '9BB11111AA111112A 2500 EUR 2026-01-14T20:30:00Z',
      '9BB11111AA111115A 725 EUR 2026-01-17T06:00:00Z',
    ],
  },
  {
    file: 'paypal-fr.csv',
    job: 'import',
    asks: ['--mapping'],
    answers: {
      paymentId: 'Numéro de transaction',
      amount: 'Avant commission',
      createdAt: 'in the mapping',
      'order.id': 'Numéro de facture',
      currencyCode: '=Devise',
    },
    mapping:
      'join: {createdAt: [Date, Heure]}\namounts: major\ndecimalComma: true\nwhere: {Type: [Paiement Express Checkout, Paiement sur site marchand]}\n',
    rows: [
      '7CC11111AA111111A 104000 EUR 2026-01-14T07:00:00Z',
      '7CC11111AA111112A 2500 EUR 2026-01-14T20:30:00Z',
      '7CC11111AA111115A 725 EUR 2026-01-17T06:00:00Z',
    ],
  },
  {
    file: 'shopify-orders.csv',
    job: 'import',
    rows: [
      'rEva 7500 EUR 2026-01-20T09:29:00Z',
      'rFin 2000 EUR 2026-01-20T10:59:30Z',
      'rIda 10010 EUR 2026-01-21T08:29:00Z',
    ],
  },
  {
    file: 'shopify-transactions.csv',
    job: 'import',
    asks: ['--mapping'],
    mapping: 'where: {Kind: [sale, capture]}\n',
    rows: [
      'rEva.1 7500 EUR 2026-01-20T09:30:00Z',
      'rFin.1 2000 EUR 2026-01-20T11:00:00Z',
      'rIda.2 10010 EUR 2026-01-21T08:30:00Z',
    ],
  },
  {
    file: 'woocommerce-orders.csv',
    job: 'import',
    answers: { createdAt: 'date_created' },
    mapping: 'map: {status: status}\nvalues: {status: {completed: SETTLED}}\n',
    rows: [
      'wc_aa1 2499 GBP 2026-01-12T10:00:00Z',
      'wc_aa2 11000 GBP 2026-01-12T11:15:00Z',
      'wc_aa3 850 GBP 2026-01-13T08:00:00Z',
      'wc_aa4 124000 GBP 2026-01-13T09:45:30Z',
      'wc_aa5 300 GBP 2026-01-14T18:30:00Z',
    ],
  },
  {
    file: 'magento-orders.csv',
    job: 'import',
    asks: ['amount', 'currencyCode'],
    answers: {
      amount: 'Grand Total (Purchased)',
      currencyCode: 'EUR',
      createdAt: 'Purchase Date',
      'order.id': 'ID',
      paymentId: 'ID',
    },
    also: { '--amounts': 'major', '--date-format': 'MMM d, yyyy h:mm:ss a', '--timezone': 'UTC' },
    rows: [
      '000000101 2940 EUR 2026-01-12T10:00:00Z',
      '000000102 12941 EUR 2026-01-12T11:15:00Z',
      '000000103 1000 EUR 2026-01-13T08:00:00Z',
      '000000104 145882 EUR 2026-01-13T21:45:30Z',
      '000000105 353 EUR 2026-01-14T18:30:00Z',
    ],
  },
  {
    file: 'square-transactions.csv',
    job: 'import',
    asks: ['amount', '--mapping'],
    answers: {
      amount: 'Total Collected',
      'order.id': 'Transaction ID',
      paymentId: 'Payment ID',
      currencyCode: 'USD',
    },
    mapping: 'join: {createdAt: [Date, Time]}\ntimezoneColumn: Time Zone\n',
    also: { '--amounts': 'major' },
    rows: [
      'pmA1 1507 USD 2026-01-20T14:15:00Z',
      'pmA2 925 USD 2026-01-20T17:30:00Z',
      'pmA3 119763 USD 2026-01-21T18:00:00Z',
      'pmA4 536 USD 2026-01-21T19:00:00Z',
      'pmA5 2178 USD 2026-01-22T22:45:00Z',
    ],
  },
  {
    file: 'mollie-payments.csv',
    job: 'import',
    answers: { 'order.id': 'Description' },
    mapping: 'map: {status: Status}\nvalues: {status: {paid: SETTLED}}\n',
    also: { '--timezone': 'Europe/Amsterdam' },
    rows: [
      'tr_mA1 4500 EUR 2026-01-18T09:22:33Z',
      'tr_mA2 1295 EUR 2026-01-18T10:00:00Z',
      'tr_mA3 19900 EUR 2026-01-19T08:10:00Z',
      'tr_mA4 750 EUR 2026-01-19T08:12:00Z',
      'tr_mA5 6010 EUR 2026-01-20T15:00:01Z',
    ],
  },
  {
    file: 'mollie-nl.csv',
    job: 'import',
    answers: {
      paymentId: 'ID',
      amount: 'Bedrag',
      createdAt: 'Datum',
      'order.id': 'Omschrijving',
      currencyCode: '=Valuta',
    },
    mapping: 'map: {status: Status}\nvalues: {status: {Betaald: SETTLED}}\n',
    also: {
      '--amounts': 'major',
      '--decimal-comma': '',
      '--date-format': 'dd-MM-yyyy HH:mm:ss',
      '--timezone': 'Europe/Amsterdam',
    },
    rows: [
      'tr_nA1 4500 EUR 2026-01-18T09:22:33Z',
      'tr_nA2 1295 EUR 2026-01-18T10:00:00Z',
      'tr_nA3 119900 EUR 2026-01-19T08:10:00Z',
      'tr_nA4 750 EUR 2026-01-19T08:12:00Z',
      'tr_nA5 6010 EUR 2026-01-20T15:00:01Z',
    ],
  },
  {
    file: 'klarna-settlement.csv',
    job: 'import',
    answers: { paymentId: 'capture_id', createdAt: 'capture_date', 'order.id': 'merchant_reference1' },
    mapping: 'where: {type: [SALE]}\n',
    rows: [
      'kA1 4500 EUR 2026-01-11T08:00:00Z',
      'kA2 1295 EUR 2026-01-11T08:00:00Z',
      'kA4 19900 EUR 2026-01-13T08:00:00Z',
    ],
    asks: ['--mapping'],
  },
  {
    file: 'braintree.csv',
    job: 'import',
    asks: ['--mapping', 'amount'],
    answers: {
      amount: 'Amount Submitted For Settlement',
      createdAt: 'Created Datetime',
      currencyCode: '=Currency ISO Code',
    },
    mapping: 'where: {Transaction Type: [sale]}\n',
    also: {
      '--amounts': 'major',
      '--date-format': 'MM/dd/yyyy HH:mm:ss',
      '--timezone': 'America/Chicago',
    },
    rows: [
      'bt1 3000 USD 2026-01-20T16:00:00Z',
      'bt2 9995 USD 2026-01-20T17:30:00Z',
      'bt5 710 USD 2026-01-23T05:59:59Z',
    ],
    bad: { 4: 'is empty' },
  },
  {
    file: 'sumup-de.csv',
    job: 'import',
    answers: {
      paymentId: 'Transaktions-ID',
      amount: 'Betrag',
      createdAt: 'Datum',
      'order.id': 'Transaktions-ID',
      currencyCode: '=Währung',
    },
    mapping: 'map: {status: Status}\nvalues: {status: {Erfolgreich: SETTLED}}\n',
    also: {
      '--amounts': 'major',
      '--decimal-comma': '',
      '--date-format': 'dd.MM.yyyy H:mm',
      '--timezone': 'Europe/Berlin',
    },
    rows: [
      'TAAA1 1250 EUR 2026-01-20T08:30:00Z',
      'TAAA2 800 EUR 2026-01-20T09:05:00Z',
      'TAAA3 104090 EUR 2026-01-20T10:15:00Z',
      'TAAA4 320 EUR 2026-01-21T08:00:00Z',
      'TAAA5 2700 EUR 2026-01-21T16:45:00Z',
    ],
  },
  {
    file: 'worldpay.txt',
    job: 'import',
    rows: [
      'WP-1 2499 GBP 2026-01-12T10:00:00Z',
      'WP-2 11000 GBP 2026-01-12T11:15:00Z',
      'WP-3 850 JPY 2026-01-13T08:00:00Z',
      'WP-4 1240 KWD 2026-01-13T09:45:30Z',
      'WP-5 300 GBP 2026-01-14T18:30:00Z',
    ],
  },
  {
    file: 'iyzico.csv',
    job: 'import',
    asks: ['amount', '--mapping', '--timezone'],
    answers: { amount: 'paidPrice', paymentId: 'paymentTxId', 'order.id': 'conversationId' },
    mapping: 'where: {transactionStatus: [PAYMENT]}\n',
    also: { '--timezone': 'Europe/Istanbul', '--amounts': 'major' },
    rows: ['8801 12000 TRY 2026-01-05T07:22:33Z', '8802 4720 TRY 2026-01-05T09:00:00Z'],
  },
  {
    file: 'crm-transactions.csv',
    job: 'import',
    asks: ['amount', '--mapping', '--timezone'],
    answers: { amount: 'Amount Paid' },
    mapping: 'join: {createdAt: [Transaction Date, Transaction Time]}\n',
    also: { '--timezone': 'UTC', '--amounts': 'major' },
    rows: ['T-1 10500 USD 2025-01-25T12:30:00Z', 'T-2 4700 USD 2025-01-26T01:05:00Z'],
  },
  // No time of day
  { file: 'ebay.csv', job: 'import', asks: ['paymentId', 'createdAt', '--mapping'] },
  // Programs
  { file: 'excel-serial.csv', job: 'import', asks: ['createdAt'] },
  {
    file: 'pandas.csv',
    job: 'import',
    rows: [
      'pd-1 1250 EUR 2026-01-05T10:22:33Z',
      'pd-2 99 EUR 2026-01-05T11:00:00Z',
      'pd-5 120000 EUR 2026-01-06T09:30:15Z',
    ],
    bad: { 3: 'is empty', 4: 'is a word for nothing' },
  },
  {
    file: 'pandas-float-ids.csv',
    job: 'import',
    rows: [],
    bad: Object.fromEntries([1, 2, 3, 4, 5].map((row) => [row, 'is a number with ".0"'])),
  },
  {
    file: 'pandas-floats.csv',
    job: 'import',
    rows: [
      'pf-3 1250 EUR 2026-01-05T12:00:00Z',
      'pf-4 500 EUR 2026-01-06T08:00:00Z',
      'pf-5 1025 EUR 2026-01-06T09:30:15Z',
    ],
    bad: { 1: '"19.990000000000002" has more decimals', 2: 'has more decimals' },
  },
  {
    file: 'psql-dump.txt',
    job: 'import',
    rows: paymentsOf('db', ['1250 EUR', '99 EUR', '700 USD', '500 JPY', '120000 EUR']),
  },
  {
    file: 'mysql-epoch.tsv',
    job: 'import',
    also: { '--date-format': 'unix' },
    rows: paymentsOf('my'),
  },
  {
    file: 'js-epoch-ms.csv',
    job: 'import',
    also: { '--date-format': 'unix-ms' },
    rows: paymentsOf('js').with(4, 'js-5 10000 EUR 2026-01-06T09:30:15.250Z'),
  },
  {
    file: 'exact-and-zone.csv',
    job: 'import',
    also: { '--timezone-column': 'tz' },
    rows: [
      'ez-1 1250 EUR 2026-01-05T09:22:33Z',
      'ez-2 99 EUR 2026-01-05T10:00:00Z',
      'ez-3 700 EUR 2026-01-05T17:00:00Z',
      'ez-4 500 EUR 2026-01-06T07:00:00Z',
      'ez-5 10000 EUR 2026-01-06T09:30:15Z',
    ],
  },
  {
    file: 'repeated-header.csv',
    job: 'import',
    asks: ['amount'],
    answers: { amount: 'amount#2' },
    rows: paymentsOf('rh', ['1000 EUR', '99 EUR', '650 EUR', '500 EUR', '9000 EUR']),
  },
  { file: 'title-lines.csv', job: 'import', rows: paymentsOf('tl').slice(0, 4) },
  {
    file: 'two-line-header.csv',
    job: 'import',
    rows: [...paymentsOf('th').slice(0, 4), 'th-5 500 EUR 2026-01-06T09:00:00Z'],
  },
  { file: 'spaced-quotes.csv', job: 'import', rows: paymentsOf('sq') },
  { file: 'surplus-cells.csv', job: 'import', rows: paymentsOf('sc') },
  { file: 'quoted-lines.csv', job: 'import', refused: 'in quotes as a whole' },
  {
    file: 'warehouse.ndjson',
    job: 'import',
    command: 'observability import warehouse.ndjson --dry-run',
    rows: [
      'wh-1 1250 EUR 2026-01-05T10:22:33Z',
      'wh-2 99 EUR 2026-01-05T11:00:00Z',
      'wh-3 500 JPY 2026-01-05T12:00:00Z',
      'wh-5 700 EUR 2026-01-06T09:30:15Z',
    ],
    bad: { 4: 'amount' },
  },
  { file: 'warehouse-array.ndjson', job: 'import', refused: "jq -c '.[]'" },
  { file: 'libreoffice-utf16.txt', job: 'import', rows: paymentsOf('lo') },
  {
    file: 'google-sheets.csv',
    job: 'import',
    asks: ['--date-format'],
    also: { '--date-format': 'M/d/yyyy H:mm:ss', '--timezone': 'UTC' },
    rows: [
      'gs-1 1250 USD 2026-01-05T09:30:00Z',
      'gs-2 800 USD 2026-01-06T10:00:00Z',
      'gs-3 725 USD 2026-02-07T11:30:00Z',
      'gs-4 10000 USD 2026-02-08T08:00:00Z',
      'gs-5 310 USD 2026-02-09T17:45:10Z',
    ],
  },
  {
    file: 'google-sheets-us.csv',
    job: 'import',
    also: { '--timezone': 'UTC' },
    rows: [
      'gu-1 1250 USD 2026-01-05T09:30:00Z',
      'gu-2 800 USD 2026-01-16T10:00:00Z',
      'gu-3 725 USD 2026-01-27T11:30:00Z',
      'gu-4 10000 USD 2026-02-08T08:00:00Z',
      'gu-5 310 USD 2026-02-09T17:45:10Z',
    ],
  },
  {
    file: 'mixed-units.csv',
    job: 'import',
    asks: ['--amounts'],
    also: { '--amounts': 'major' },
    rows: paymentsOf('mu', ['2000 EUR', '1990 EUR', '700 EUR', '550 EUR', '10000 EUR']),
  },
  // Banks: no time of day, no ID, and debits among credits
  { file: 'bank-camt-de.csv', job: 'import', asks: ['paymentId', 'createdAt'] },
  { file: 'bank-ing-nl.csv', job: 'import', asks: ['paymentId', 'createdAt'] },
  { file: 'bank-lt.csv', job: 'import', asks: ['paymentId', 'createdAt', '--mapping', '--amounts'] },
  {
    file: 'bank-debit-credit.csv',
    job: 'import',
    asks: ['amount', '--mapping', '--timezone'],
    answers: { amount: 'Amount Credit', paymentId: 'Reference' },
    mapping: 'join: {createdAt: [Date, Time]}\nthousandsComma: true\n',
    also: { '--timezone': 'UTC', '--amounts': 'major' },
    rows: ['TX-1 125000 USD 2026-02-05T10:15:00Z', 'TX-3 8050 USD 2026-02-13T09:30:00Z'],
    bad: { 2: 'is empty' },
  },
  { file: 'bank-fr.csv', job: 'import', asks: ['paymentId', 'createdAt', 'currencyCode'] },
  { file: 'bank-pl.csv', job: 'import', asks: ['paymentId', 'createdAt'] },
  // Lists of refunds
  {
    file: 'approvals-en.csv',
    job: 'refund',
    rows: refundsOf('A', 'EUR', 901).with(2, 'A-903 999 EUR'),
  },
  {
    file: 'approvals-yes-no.csv',
    job: 'refund',
    asks: ['--mapping'],
    mapping: 'where: {Approved: [yes]}\n',
    rows: ['A-911 2000 EUR', 'A-913 999 EUR', 'A-915 50 EUR'],
  },
  {
    file: 'approvals-status.csv',
    job: 'refund',
    asks: ['--mapping'],
    mapping: 'leaveOut: {Status: [done]}\n',
    rows: ['A-921 2000 EUR', 'A-923 999 EUR', 'A-925 50 EUR'],
  },
  { file: 'approvals-de.csv', job: 'refund', rows: refundsOf('B', 'EUR') },
  {
    file: 'approvals-de-alle.csv',
    job: 'refund',
    rows: ['B-11 2000 EUR', 'B-13 100999 EUR', 'B-15 50 EUR'],
    bad: { 2: 'alles', 4: 'dash' },
  },
  // "Montant remboursé" may be what was given back already.
  {
    file: 'approvals-fr.csv',
    job: 'refund',
    asks: ['amount'],
    answers: { amount: '=Montant remboursé' },
    also: { '--amounts': 'major', '--decimal-comma': '' },
    rows: refundsOf('F', 'EUR'),
  },
  {
    file: 'approvals-es.csv',
    job: 'refund',
    asks: ['--mapping'],
    mapping: 'where: {Aprobado: [sí]}\n',
    rows: ['E-1 2000 EUR', 'E-3 100999 EUR', 'E-4 10000 EUR'],
  },
  { file: 'approvals-it.csv', job: 'refund', rows: refundsOf('I', 'EUR') },
  { file: 'approvals-nl.csv', job: 'refund', rows: refundsOf('N', 'EUR') },
  { file: 'approvals-pl.csv', job: 'refund', flags: '--encoding windows-1250', rows: refundsOf('Z', 'PLN') },
  { file: 'approvals-pt.csv', job: 'refund', rows: refundsOf('R', 'BRL') },
  { file: 'approvals-sv.csv', job: 'refund', rows: refundsOf('V', 'SEK') },
  {
    file: 'approvals-cs.csv',
    job: 'refund',
    flags: '--encoding windows-1250',
    refused: 'No column of approvals-cs.csv seems to name',
  },
  { file: 'approvals-tr.csv', job: 'refund', refused: 'No column of approvals-tr.csv seems to name' },
  {
    file: 'approvals-ja.csv',
    job: 'refund',
    flags: '--encoding shift_jis',
    refused: 'No column of approvals-ja.csv seems to name',
  },
  {
    file: 'approvals-ch.csv',
    job: 'refund',
    rows: ['S-1 2000 CHF', 'S-2 550 CHF', 'S-4 10000 CHF', 'S-5 50 CHF'],
    bad: { 3: 'separator' },
  },
  {
    file: 'refund-pence.csv',
    job: 'refund',
    rows: ['G-1 2000 GBP', 'G-2 550 GBP', 'G-3 999 GBP', 'G-4 10000 GBP', 'G-5 50 GBP'],
  },
  { file: 'refund-oere.csv', job: 'refund', refused: 'No column of refund-oere.csv seems to name' },
  {
    file: 'refund-mixed-forms.csv',
    job: 'refund',
    asks: ['currencyCode', '--amounts'],
    answers: { currencyCode: 'EUR' },
    also: { '--amounts': 'major' },
    rows: ['M-1 2000 EUR', 'M-2 1500 EUR', 'M-3 700 EUR', 'M-4 10000 EUR', 'M-5 300 EUR'],
  },
  {
    file: 'refund-dollars.csv',
    job: 'refund',
    rows: ['U-1 2000 USD', 'U-2 124000 USD', 'U-3 999 USD', 'U-4 10000 USD', 'U-5 50 USD'],
  },
  {
    file: 'refund-thousands.csv',
    job: 'refund',
    rows: ['Q-1 2000 USD', 'Q-3 999 USD', 'Q-5 50 USD'],
    bad: { 2: 'comma', 4: 'comma' },
  },
  {
    file: 'refund-all.csv',
    job: 'refund',
    rows: ['L-1 all EUR', 'L-2 500 EUR', 'L-3 all EUR', 'L-4 1250 EUR', 'L-5 100 EUR'],
  },
  {
    file: 'refund-foreign-const.csv',
    job: 'refund',
    command:
      'batch plan refund refund-foreign-const.csv --map orderId=orderId --const currencyCode=EUR --amounts major',
    rows: ['X-1 2000 EUR', 'X-3 700 EUR', 'X-5 300 EUR'],
    bad: { 2: 'another currency', 4: 'another currency' },
  },
  {
    file: 'refunds.ndjson',
    job: 'refund',
    command: 'batch plan refund refunds.ndjson',
    rows: ['W-1 2000 EUR', 'W-2 550 EUR', 'W-3 999 EUR', 'W-4 all'],
    bad: { 5: 'amount' },
  },
  {
    file: 'google-form.csv',
    job: 'refund',
    asks: ['--mapping', '--amounts'],
    mapping: 'where: {"Approved by lead?": [Yes]}\n',
    also: { '--amounts': 'major' },
    rows: ['#1001 2000 EUR'],
  },
  {
    file: 'jira.csv',
    job: 'refund',
    asks: ['--mapping'],
    mapping: 'where: {Status: [To Do]}\n',
    rows: ['A-2 550 EUR'],
  },
  { file: 'refund-percent.csv', job: 'refund', rows: ['A-1 6000 EUR', 'A-2 4550 EUR'] },
  {
    file: 'refund-requested.csv',
    job: 'refund',
    asks: ['amount'],
    answers: { amount: 'approved_refund' },
    also: { '--amounts': 'major' },
    rows: ['A-1 1500 EUR', 'A-2 550 EUR'],
  },
  // Captures and cancellations
  { file: 'captures.csv', job: 'capture', rows: refundsOf('H', 'EUR') },
  { file: 'captures-es.csv', job: 'capture', rows: refundsOf('O', 'EUR') },
  { file: 'cancels.csv', job: 'cancel', rows: ['Y-1', 'Y-2', 'Y-3', 'Y-4', 'Y-5'] },
]
