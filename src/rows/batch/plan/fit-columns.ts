import { amountStyleOf } from '../../map/amount-style.ts'
import type { BatchOperation } from '../plan.ts'
import type { BATCH_FIELDS } from './row-fields.ts'

type BatchField = keyof typeof BATCH_FIELDS

/** The names of columns in English and German, in the form of {@link plainName}: the most certain first. */
const KNOWN_COLUMNS: Readonly<Record<BatchField, readonly string[]>> = {
  paymentId: [
    'paymentid zahlungsid zahlungid',
    'payment zahlung zahlungsnummer zahlungsnr paymentreference zahlungsreferenz',
    'transactionid transaktionsid transaktionsnummer transaktion transaction pspreference',
  ],
  orderId: [
    'orderid bestellid bestellnummer bestellnr ordernumber orderno ordernr auftragsnummer auftragsnr auftragnr',
    'order bestellung auftrag bestellungsnummer orderreference orderref merchantreference',
    'invoicenumber rechnungsnummer rechnungsnr rechnung reference referenz',
  ],
  amount: [
    'refundamount amounttorefund erstattungsbetrag ruckerstattungsbetrag rueckerstattungsbetrag captureamount',
    'amount betrag betragbrutto bruttobetrag',
    'refund erstattung ruckerstattung rueckerstattung gutschrift ruckzahlung rueckzahlung',
    'total totalamount sum summe gesamt gesamtbetrag gesamtsumme endbetrag value wert preis price',
  ],
  currencyCode: ['currencycode currency wahrung waehrung wahrungscode waehrungscode ccy wkz'],
  reason: [
    'reason grund refundreason erstattungsgrund begrundung begruendung',
    'comment kommentar note notiz bemerkung anmerkung',
  ],
  ticket: [
    'ticket ticketid ticketnumber ticketnummer ticketnr supportticket',
    'case caseid casenumber vorgang vorgangsnummer vorgangsnr fall fallnummer',
  ],
  final: ['final endgultig endgueltig abschliessend letzte'],
}

/** The flags of `pay batch plan` that fit a table. */
export interface FittedColumns {
  /** Column name by field. */
  readonly map: Readonly<Partial<Record<BatchField, string>>>
  readonly currencyCode: string | undefined
  readonly amounts: 'major' | 'minor' | undefined
  readonly hasDecimalComma: boolean
  /** The columns that are not used. */
  readonly unused: readonly string[]
  /** The doubts, in words for the user. */
  readonly doubts: readonly string[]
}

export function fitColumns(
  operation: BatchOperation,
  names: readonly string[],
  rows: readonly (readonly string[])[],
): FittedColumns {
  const doubts: string[] = []
  const map: Partial<Record<BatchField, string>> = {}
  for (const field of fieldsOf(operation)) {
    const taken = Object.values(map)
    const found = columnsOf(field, names).filter((name) => !taken.includes(name))
    const [first, ...others] = found
    if (first === undefined) continue
    map[field] = first
    if (others.length > 0)
      doubts.push(
        `${field} is read from "${first}", and could be ${others.map((one) => `"${one}"`).join(' or ')}.`,
      )
  }
  const unused = names.filter((name) => name !== '' && !Object.values(map).includes(name))
  const shared = { map, unused }
  const { amount } = map
  if (amount === undefined) return { ...shared, ...NO_AMOUNTS, doubts }
  const cells = rows
    .map((row) => row[names.indexOf(amount)] ?? '')
    .filter((cell) => cell.toLowerCase() !== 'all')
  const style = amountStyleOf(amount, cells)
  doubts.push(...style.doubts)
  const empty = cells.filter((cell) => cell.trim() === '').length
  if (empty > 0)
    doubts.push(
      `${empty} of the first ${rows.length} rows have no amount and become bad rows: write all for all that is left, or add --empty-amount all.`,
    )
  if (style.units === undefined)
    doubts.push(
      `"${amount}" has whole numbers, read as major units (20 is 20.00). If they are minor units, use --amounts minor.`,
    )
  const needsCurrency = map.currencyCode === undefined && !style.isNamed && style.units !== 'minor'
  if (needsCurrency && style.currencyCode === undefined)
    doubts.push(
      'No column names the currency: EUR is a guess. Change --const currencyCode if it is another one.',
    )
  return {
    ...shared,
    currencyCode: needsCurrency ? (style.currencyCode ?? 'EUR') : undefined,
    amounts: style.units ?? 'major',
    hasDecimalComma: style.hasDecimalComma,
    doubts,
  }
}

const NO_AMOUNTS = { currencyCode: undefined, amounts: undefined, hasDecimalComma: false } as const

function fieldsOf(operation: BatchOperation): readonly BatchField[] {
  const shared = ['paymentId', 'orderId', 'reason', 'ticket'] as const
  if (operation === 'cancel') return shared
  return operation === 'capture'
    ? [...shared, 'amount', 'currencyCode', 'final']
    : [...shared, 'amount', 'currencyCode']
}

/** The columns with the most certain name. A name that occurs twice can't be mapped. */
function columnsOf(field: BatchField, names: readonly string[]): readonly string[] {
  const unique = names.filter((name) => name !== '' && names.indexOf(name) === names.lastIndexOf(name))
  if (unique.includes(field)) return [field]
  for (const rank of KNOWN_COLUMNS[field]) {
    const found = unique.filter((name) => rank.split(' ').includes(plainName(name)))
    if (found.length > 0) return found
  }
  return []
}

/** The name without case, accents, punctuation, parentheses, currency and `in`. */
const plainName = (name: string): string =>
  name
    .replaceAll(/\([^()]*\)|\b(?:EUR|USD|GBP|CHF|in)\b/g, '')
    .toLowerCase()
    .replaceAll('ß', 'ss')
    .normalize('NFD')
    .replaceAll(/[^a-z0-9]/g, '')
