import { isOtherKind } from '../read/kinds-of-rows.ts'

/**
 * What columns are called in the files of shops, payment services and accountants, in the form of {@link plainName}. Of a field's
 * lines the first is the most certain; names on one line are equally certain. Only whole names match. Leaves out names that can
 * also mean a person, an address or a line item.
 */

type Ranks = readonly (readonly string[])[]

const ranks = (...lines: readonly string[]): Ranks => lines.map((line) => line.split(' '))

const AMOUNT = ranks(
  'amount amountminor amountcents amountincents betrag montant importe importo bedrag kwota belopp belob belop castka tutar 金額 captureamount',
  'gross grossamount grosstransactionamount grosscredit transactionamount paymentamount betragbrutto bruttobetrag zahlbetrag montantbrut importebruto',
  'total totalamount amounttotal ordertotal grandtotal sum summe gesamt gesamtbetrag gesamtsumme endbetrag montanttotal importetotal totale importototale totaal totaalbedrag suma kwotacalkowita valortotal summa totalbelopp celkem celkovacastka toplam toplamtutar 合計 合計金額',
  'cents value wert valor valore waarde preis price prix precio prezzo prijs cena preco',
)
const CURRENCY = ranks(
  'currencycode currency currencyiso currencyisocode isocurrency ccy wkz wahrung waehrung wahrungscode waehrungscode devise monnaie moneda divisa valuta valutakod waluta moeda mena parabirimi 通貨',
  'grosscurrency paymentcurrency transactioncurrency',
)
const ORDER = ranks(
  'orderid bestellid idcommande commandeid idpedido idordine bestelid idzamowienia ordreid siparisid idobjednavky 注文id',
  'ordernumber orderno ordernr merchantorderid bestellnummer bestellnr auftragsnummer auftragsnr auftragnr numerocommande ncommande numeropedido npedido numeroordine nordine bestelnummer ordernummer numerzamowienia nrzamowienia numeroencomenda ordrenummer ordrenr bestallningsnummer bestillingsnummer cisloobjednavky siparisno siparisnumarasi 注文番号',
  'order orderreference orderref merchantreference bestellung bestellungsnummer auftrag commande pedido ordine bestelling zamowienie encomenda ordre bestallning bestilling objednavka siparis 注文',
  'invoicenumber rechnungsnummer rechnungsnr rechnung numerofacture facture numerofactura factura fattura numerofattura factuur factuurnummer faktura numerfaktury fatura',
)
const PAYMENT = ranks(
  'paymentid zahlungsid zahlungid idpaiement idpago idpagamento betalingsid betaalid idplatnosci',
  'transactionid txnid pspreference chargeid transaktionsid transaktionsnummer idtransaction idtransaccion idtransazione transactieid idtransakcji idtransacao',
  'paymentintentid paymentreference zahlungsreferenz zahlungsnummer zahlungsnr',
)
/** Names of payments in a list of payments. In a list of orders, `ID` may be anything. */
const PAYMENT_RECORD = [
  ...PAYMENT.slice(0, 1),
  [...(PAYMENT[1] ?? []), 'id', 'externalid', 'externalpaymentid', 'identifiant'],
  ...PAYMENT.slice(2),
]

const PAYMENT_ALONE = ranks('payment zahlung transaction transaktion')

/** The names by field, for records and for the rows of batches. */
export const KNOWN_COLUMNS: Readonly<Record<string, Ranks>> = {
  paymentId: [...PAYMENT, ...PAYMENT_ALONE],
  orderId: [...ORDER, ...ranks('reference referenz referencia riferimento referentie')],
  amount: AMOUNT,
  currencyCode: CURRENCY,
  reason: ranks(
    'reason grund refundreason erstattungsgrund begrundung begruendung motif raison motivo reden powod orsak arsag arsak duvod neden sebep 理由',
    'comment kommentar note notiz bemerkung anmerkung commentaire comentario commento opmerking komentarz notat poznamka 備考',
  ),
  ticket: ranks(
    'ticket ticketid ticketno ticketnumber ticketnummer ticketnr supportticket',
    'case caseid casenumber vorgang vorgangsnummer vorgangsnr fall fallnummer',
  ),
  final: ranks('final endgultig endgueltig abschliessend letzte'),
}

export const KNOWN_RECORD_COLUMNS: typeof KNOWN_COLUMNS = {
  paymentId: PAYMENT_RECORD,
  currencyCode: CURRENCY,
  'processor.name': ranks(
    'processor processorname paymentprocessor',
    'psp pspname paymentprovider paymentgateway gateway acquirer provider zahlungsanbieter zahlungsdienstleister prestataire proveedorpago',
  ),
  'processor.merchantId': ranks('processormerchantid', 'merchantid merchantaccount mid'),
  amount: AMOUNT,
  createdAt: ranks(
    'createdat created createddate createddatetime creationdate createdon erstelltam erstellt datecreation creele fechacreacion datacreazione aanmaakdatum datautworzenia datacriacao',
    'paymentdate transactiondate transactioncreationdate posteddatetime zahlungsdatum transaktionsdatum datepaiement datetransaction fechapago fechatransaccion datapagamento datatransazione betaaldatum transactiedatum dataplatnosci datatransakcji datatransacao',
    'datetime timestamp zeitpunkt zeitstempel dateandtime dateheure dateetheure fechahora fechayhora dataora dataeora datahora dataehora datumtijd',
    'date datum fecha data',
  ),
  'order.id': ORDER,
  'order.countryCode': ranks('ordercountrycode ordercountry'),
  'paymentMethod.paymentMethodType': ranks(
    'paymentmethodtype',
    'paymentmethod zahlungsart zahlungsmethode moyenpaiement modepaiement metodopago formapago metodopagamento betaalmethode metodaplatnosci formapagamento',
    'method',
  ),
  'paymentMethod.data.binData.network': ranks(
    'cardnetwork',
    'cardbrand cardscheme',
    'network scheme brand cardtype',
  ),
  'paymentMethod.data.binData.issuerCountryCode': ranks(
    'issuercountrycode issuercountry cardissuecountry cardcountry',
  ),
  'paymentMethod.data.first6Digits': ranks('first6digits first6', 'cardbin bin iin'),
  status: ranks('status', 'paymentstatus transactionstatus zahlungsstatus statut estado stato', 'state'),
  descriptor: ranks('statementdescriptor', 'descriptor softdescriptor dynamicdescriptor'),
}

/** The names in files of what a provider settled. Their rows are payments and others. */
export const SETTLED_COLUMNS: typeof KNOWN_COLUMNS = {
  paymentId: [...PAYMENT_RECORD, ...PAYMENT_ALONE],
  orderId: [
    ...ranks('merchantreference merchantorderreference merchantorderid orderreferenceid'),
    ...(KNOWN_COLUMNS['orderId'] ?? []),
    ...ranks('invoiceid'),
  ],
  processorTransactionId: ranks('processortransactionid', 'acquirerreference'),
  kind: ranks(
    'kind recordtype rowtype transactiontype journaltype reportingcategory transaktionsart transaktionstyp typetransaction tipotransaccion tipotransazione transactietype typtransakcji tipotransacao',
    'eventtype actiontype breakdowntype resourcetype resourcestype',
    'type typ art buchungsart tipo tipooperacion tipooperazione soort rodzaj event',
    'category kategorie categorie categoria vorgang',
  ),
  amount: AMOUNT,
  currencyCode: CURRENCY,
  createdAt: [
    ...(KNOWN_RECORD_COLUMNS['createdAt'] ?? []),
    ...ranks(
      'settlementdate bookingdate posteddate buchungsdatum buchungstag dateoperation fechaoperacion dataoperazione boekdatum dataoperacji',
    ),
  ],
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
    has: ['captureid', 'merchantreference1'],
    meanings: { merchantreference1: 'orderId', orderid: 'processorTransactionId' },
    note: 'This looks like a settlement report of Klarna, where "order_id" is the ID of the order at Klarna.',
  },
  {
    has: ['pspreference', 'grosscredit', 'grossdebit'],
    meanings: {},
    note: 'This looks like an Adyen settlement report. Refunds, chargebacks and fees have no gross credit, so their rows are rejected.',
  },
]

/** Whether a column is named for what is given back, or captured: in a list for it, it wins over what was paid. */
export const namesMovement = (operation: keyof typeof MOVEMENTS, name: string): boolean =>
  MOVEMENTS[operation].test(plainName(name)) && !NO_AMOUNT.test(spaced(name)) && !name.includes('%')
const MOVEMENTS = {
  refund:
    /refund|erstatt|gutschrift|r(?:u|ue)ckzahl|rembours|reembols|devol|rimbors|terugbetal|terugtebetal|zwrot|zwroc|aterbetal|tilbagebetal|tilbakebetal|refusion|refundace|vrati|vracen|iade|返金/,
  capture: /captur|encaiss|einzieh|einzug|einzuzieh|abbuch|abzubuch|incass|pobra/,
}
/** What was given back or captured already, as far as a name tells. */
export const namesMoved = (name: string): boolean =>
  /refunded|already|bereits|schon|erstattet|rembourse(?!ment|r)|reembolsad|devuelt|rimborsat|terugbetaald|zwrocon|aterbetald|tilbagebetalt|tilbakebetalt|vracen[ao]|iadeedil|返金済|captured|capturee|capturad|encaissee?$|eingezogen|abgebucht|incassat/.test(
    plainName(name),
  )
/** The end of names with a word for it, but without an amount. */
const NO_AMOUNT =
  /\b(?:id|no|nr|number|nummer|date|datum|at|on|am|by|reason|grund|status|count|ref|reference|type|ticket|method|fee|percent|prozent)$/
const OTHER_MONEY =
  /\b(?:fees?|frais|commissions?|comision|provision|tax|taxes|vat|mwst|ust|tva|iva|btw|net|netto|nett|markup|interchange|shipping|handling|discount|skonto|balance|saldo|rate|kurs|percent|prozent|quantity|qty|menge|anzahl|weight|gewicht|sub ?total|zwischensumme|lineitem|item|unit|einzelpreis|stuckpreis|tip|trinkgeld|limit|avgift|moms|frakt|fragt|gebyr|prowizja|prowizji|rabat|poplatek|dph|doprava|sleva|zustatek|komisyon|kdv|kargo|indirim|bakiye)\b|gebuhr|steuer|versand|rabatt|手数料|税|送料|値引|残高/

/** Amounts beside that of the payment, such as fees. */
export const namesOtherMoney = (name: string): boolean => OTHER_MONEY.test(spaced(name))

/** Whether a column is named for the debits, where debits and credits have a column each. */
export const namesDebit = (name: string): boolean => /debit|soll|debe/.test(spaced(name))
export const namesCredit = (name: string): boolean => /[ck]redit|haben|haber/.test(spaced(name))

/** Words for names of people, and for what identifies them: addresses, phone numbers, accounts. */
const PERSONAL_WORDS = new Set(
  [
    'email mail phone telephone tel mobile fax contact telefon handy',
    'address addr street city town zip zipcode postcode postal province adresse strasse ort plz',
    'firstname lastname surname fullname username nickname cardholder vorname nachname prenom apellido',
    'customer shopper buyer payer payee recipient sender holder client user kunde kundenname cliente klient',
    'birth birthday birthdate dob ip iban ssn passport geburtsdatum',
  ].flatMap((line) => line.split(' ')),
)
/** Words for things whose name is not a person's. */
const IMPERSONAL_WORDS = new Set(
  'processor psp gateway provider acquirer issuer bank product item lineitem network scheme file report state status method'.split(
    ' ',
  ),
)

/** Whether a column may identify a person. Errs on the side of yes. */
export function isPersonal(column: string): boolean {
  const words = spaced(column)
    .split(/[^a-z]+/)
    .filter((word) => word !== '')
  if (words.some((word) => PERSONAL_WORDS.has(word)) || PERSONAL_WORDS.has(words.join(''))) return true
  return words.includes('name') && !words.some((word) => IMPERSONAL_WORDS.has(word))
}

const UTC = /\(utc\)\s*$|[\s_]utc\s*$/i

/** Whether a column name says that its times are in UTC: `Created date (UTC)`, `created_utc`. */
export const saysUtc = (column: string): boolean => UTC.test(column)

/** The form of added columns in exports of Jira. */
const CUSTOM = /^custom field \((.*)\)$/i

/** The words of a name, without case and accents. */
const spaced = (name: string): string =>
  name
    .replaceAll(/(\p{Ll})(\p{Lu})/gu, '$1 $2')
    .toLowerCase()
    .replaceAll('ß', 'ss')
    .replaceAll(/[łøıæ]/g, (letter) => ({ ł: 'l', ø: 'o', ı: 'i' })[letter] ?? 'ae')
    .normalize('NFD')
    .replaceAll(/\p{M}/gu, '')
    .replaceAll(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()

/** The name in letters and digits, without case, accents, parentheses, currency, `in` and `de`. */
export const plainName = (name: string): string =>
  spaced(
    name
      .replace(CUSTOM, '$1')
      .replace(UTC, '')
      .replaceAll(/(?:^|\s)\([^()]*\)|\b(?:EUR|USD|GBP|CHF|PLN)\b/g, ''),
  )
    .replaceAll(/\b(?:in|de|du|des|del|della|di|da|do)\b/g, '')
    .replaceAll(/[^a-z0-9\p{Script=Han}]/gu, '')

/** Words in a row that may have to be left out. */
const YES_NO =
  /^(?:yes|no|y|n|ja|nein|nee|oui|non|si|s\u00ED|sim|n\u00E3o|tak|nie|true|false|✓|✔|✗|☑|☐|approved|rejected|declined|genehmigt|freigegeben|abgelehnt|approuv\u00E9|refus\u00E9|aprobado|rechazado|approvato|rifiutato|goedgekeurd|zatwierdzone?|aprovado|nej|nei|ano|ne|evet|hay[i\u0131]r|igen|nem|da|nu|kyll\u00E4|ei|да|нет|godk\u00E4nd|godkendt|godkjent|schv\u00E1leno|onayland[i\u0131]|reddedildi|はい|いいえ|承認|却下|可|不可|[○〇×])$/i
/** What spreadsheets make of their check boxes. */
const CHECKED =
  /^(?:wahr|falsch|vrai|faux|verdadero|falso|verdadeiro|vero|waar|onwaar|prawda|fa\u0142sz|pravda|nepravda|sant|falskt?|sann|usann|sand|do\u011Fru|yanl[i\u0131]\u015F|igaz|hamis|tosi|ep\u00E4tosi|adev\u0103rat|fals|истина|ложь)$/i
const STATE =
  /^(?:open|done|pending|paid|closed|completed?|refunded|processed|settled|cancelled|canceled|hold|on hold|todo|to do|offen|erledigt|bezahlt|storniert|erstattet|fertig|ausstehend|pay\u00E9e?|rembours\u00E9e?|annul\u00E9e?|en attente|trait\u00E9e?|pagado|reembolsado|pendiente|cancelado|pagato|rimborsato|in attesa|annullato|betaald|terugbetaald|zwr\u00F3cono|op\u0142acone|pago|\u00F6ppen|klar|betald|betalt|\u00E5terbetald|vy\u0159\u00EDzeno|zaplaceno|vr\u00E1ceno|\u00F6dendi|iade edildi|bekliyor|tamamland\u0131|済み?|未|未済|完了|返金済み?)$/i
/** What is given back, if no column has the amount of it. */
const PART =
  /^(?:full|partial(?:ly)?|part|none|voll(?:st\u00E4ndig)?|teil(?:weise)?|keine|totale?|parcial|partiell?e?|parziale)$/i
const DECISION_NAME =
  /\b(?:status|approved|approval|approve|decision|done|ok|processed|released|checked|verified|confirmed|authori[sz]ed|gepruft|freigabe|freigegeben|genehmigt|genehmigung|erledigt|statut|approuve|valide|estado|aprobado|stato|approvato|akkoord|zatwierdzone|aprovado|godkand|godkendt|godkjent|schvaleno|stav|onay|durum)\b|承認|状態|ステータス/
/** Kinds of rows that are no payments, besides those of {@link isOtherKind}: in other files, such a word may be a payment's. */
const NO_PAYMENT = /(?<!\p{L})(?:transfer|abbuchung|virement|kosten)(?!\p{L})/iu
const KIND_NAME =
  /^(?:.*(?:type|typ|kind|category|kategorie|categorie|categoria)|art|event|tipo|rodzaj|soort|vorgang|buchungsart|reportingcategory|balanceimpact)$/
const NO_PAYMENT_KIND =
  /\b(?:refunded\w*|debit|void|credit note|settledreversed|gutgeschrieben|erstattet)\b/iu
const PAYMENT_KIND = /^(?:sale|charge|purchase|pay|payment|capture)$/i
/** What goes out and what comes in, in banks' files. */
const DIRECTIONS = 'd c|d k|dr cr|dbit crdt|debit credit|s h|soll haben|af bij|out in|- +'.split('|')
/** Why the values of a column ask which rows to keep, and which values those have; undefined if they don't ask. */
type RowQuestion = (
  name: string,
  values: readonly string[],
  amountName: string,
  hasEmpty: boolean,
) => { readonly why: string; readonly keep: readonly string[] } | undefined

export const asksForDecision: RowQuestion = (name, values, amountName, hasEmpty) => {
  const isPart = namesMovement('refund', amountName) ? () => false : (value: string) => PART.test(value)
  const isMark = (value: string): boolean => hasEmpty && /^x$/i.test(value)
  const known = values.filter(
    (value) =>
      YES_NO.test(value) || CHECKED.test(value) || STATE.test(value) || isPart(value) || isMark(value),
  )
  const isFlag = values.length === 2 && values.every((value) => /^[01]$/.test(value))
  return isFlag ||
    DECISION_NAME.test(spaced(name)) ||
    (values.length <= 12 && known.length * 2 >= values.length)
    ? { why: 'says yes or no, or a state, of each row', keep: [] }
    : undefined
}

export const asksForKind = ((name, values) => {
  const plain = plainName(name)
  if (values.length > 60 || /method|fulfil|descri|note|text|card|funding|account|karte/.test(plain))
    return undefined
  const hasPayments = values.some((value) => PAYMENT_KIND.test(value))
  // A state such as "refund" says what became of a payment, unless "payment" is another one.
  if (plain.includes('status') && !hasPayments) return undefined
  const outgoing = DIRECTIONS.map((pair) => pair.split(' ')).find(
    (pair) => values.length === 2 && values.every((value) => pair.includes(value.toLowerCase())),
  )?.[0]
  const isKind = KIND_NAME.test(plain)
  const isOther = (value: string): boolean =>
    value.toLowerCase() === outgoing ||
    (value.length <= 60 &&
      (NO_PAYMENT.test(value) ||
        isOtherKind(value, Infinity) ||
        (isKind && NO_PAYMENT_KIND.test(value)) ||
        // Beside debits, credits are what comes in.
        (isKind && hasPayments && /^credit$/i.test(value))))
  return values.some(isOther)
    ? {
        why: 'says that some rows are no payments, but refunds, disputes, fees or payouts',
        keep: values.filter((value) => !isOther(value)),
      }
    : undefined
}) satisfies RowQuestion
