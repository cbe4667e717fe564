import { amountStyleOf } from '../../map/amount-style.ts'
import { splitMoney } from '../../map/money-cell.ts'
import { PLACEHOLDER } from '../../map/placeholder.ts'
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
    'amount betrag betragbrutto bruttobetrag captureamount',
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

/** Columns with what is to be given back, beside those with what was paid. */
const REFUND_NAME =
  /refund|erstatt|gutschrift|r(?:u|ue)ckzahl|rembours|reembolso|devoluc|rimborso|terugbetal|zwrot/

/** The flags of `pay batch plan` that fit a table. A {@link PLACEHOLDER} stands for what only the user knows. */
export interface FittedColumns {
  /** Column name by field. */
  readonly map: Readonly<Partial<Record<BatchField, string>>>
  readonly currencyCode: string | undefined
  readonly amounts: 'major' | 'minor' | undefined
  readonly hasDecimalComma: boolean
  /** Whether some rows may have to be left out, which only a mapping file can say. */
  readonly needsFilter: boolean
  /** Columns that are not used. */
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
    const found = (
      field === 'amount' ? amountColumns(operation, names, rows) : columnsOf(field, names)
    ).filter((name) => !taken.includes(name))
    const [first, ...others] = found
    if (first === undefined) continue
    if (field === 'amount' && others.length > 0) {
      map[field] = PLACEHOLDER
      doubts.push(
        `The amount could be in ${found.map((one) => `"${one}"`).join(' or ')}: write its name in place of ${PLACEHOLDER}.`,
      )
      continue
    }
    map[field] = first
    if (others.length > 0)
      doubts.push(
        `${field} is read from "${first}", and could be ${others.map((one) => `"${one}"`).join(' or ')}.`,
      )
  }
  const unused = names.filter((name) => name !== '' && !Object.values(map).includes(name))
  const decision = decisionIn(unused, names, rows)
  if (decision !== undefined) doubts.push(decision)
  const shared = { map, unused, needsFilter: decision !== undefined }
  const { amount } = map
  if (amount === undefined || amount === PLACEHOLDER) return { ...shared, ...NO_AMOUNTS, doubts }
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
    doubts.push(`No column names the currency: write its code, such as EUR, in place of ${PLACEHOLDER}.`)
  return {
    ...shared,
    currencyCode: needsCurrency ? (style.currencyCode ?? PLACEHOLDER) : undefined,
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

/** For a refund, a column that is named for it wins over what was paid; for another operation, it is none. */
function amountColumns(
  operation: BatchOperation,
  names: readonly string[],
  rows: readonly (readonly string[])[],
): readonly string[] {
  const isOfRefunds = (name: string): boolean =>
    REFUND_NAME.test(plainName(name)) && hasAmounts(names.indexOf(name), rows)
  const ofRefunds = names.filter((name) => name !== '' && isOfRefunds(name))
  if (operation === 'refund' && ofRefunds.length > 0 && !names.includes('amount')) return ofRefunds
  return columnsOf('amount', names).filter((name) => !ofRefunds.includes(name))
}

/** Whether the cells that are filled in are amounts, and not texts or IDs. */
function hasAmounts(column: number, rows: readonly (readonly string[])[]): boolean {
  const cells = rows.flatMap((row) => (row[column] ?? '').trim() || [])
  return cells.length > 0 && cells.every((cell) => cell.toLowerCase() === 'all' || isMoney(cell))
}

function isMoney(cell: string): boolean {
  const money = splitMoney(cell, '')
  return !('kind' in money) && /\d/.test(money.number) && /^[\d.,' ]+$/.test(money.number)
}

const YES_NO =
  /^(?:yes|no|y|n|ja|nein|oui|non|si|s\u00ED|true|false|approved|rejected|declined|genehmigt|abgelehnt)$/i
const STATE =
  /^(?:open|done|pending|paid|closed|completed?|refunded|processed|cancelled|canceled|offen|erledigt|bezahlt|storniert|erstattet|fertig)$/i

/** What a column says of rows that may have to be left out; undefined if no unused column does. */
function decisionIn(
  unused: readonly string[],
  names: readonly string[],
  rows: readonly (readonly string[])[],
): string | undefined {
  const column = unused.find((name) => {
    const cells = rows.flatMap((row) => (row[names.indexOf(name)] ?? '').trim() || [])
    return cells.length > 0 && [YES_NO, STATE].some((form) => cells.every((cell) => form.test(cell)))
  })
  return column === undefined
    ? undefined
    : `"${column}" says yes or no, or a state, of each row. In a mapping file, name the rows to keep, as where: {${column}: [${rows[0]?.[names.indexOf(column)] ?? 'yes'}]}, and write its name in place of ${PLACEHOLDER}; without one, every row counts.`
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
