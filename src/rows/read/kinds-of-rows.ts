import { rowKindOf } from '../map/mapping-file.ts'
import { folded } from '../map/mapping.ts'
import type { ColumnPlan } from '../map/mapping.ts'

/** A column that names the kind of each row, and those of its values that mean something else than a payment. */
export interface OtherKinds {
  readonly column: string
  readonly values: readonly { readonly value: string; readonly rows: number }[]
  /** All values of the column. */
  readonly all: readonly string[]
}

const KIND_NAMES =
  'type kind category typ art kategorie vorgang vorgangsart buchungsart transaktionstyp transaktionsart tipo categoria categoría catégorie nature soort rodzaj kategoria türü druh 種別 取引種別'
/** Words that may stand beside them. `Card type` or `Refund type` say nothing of the row. */
const BESIDE =
  'transaction txn trx record entry event row balance payment reporting operation activity journal movement source main sub the of de d des der opération operación transacción transação transazione transactie transakcji operacji operazione işlem'
const OTHER_THAN_PAYMENTS =
  'refund refunds refunded dispute disputes chargeback chargebacks adjustment adjustments fee fees payout payouts withdrawal withdrawals reversal reversals ' +
  'erstattung rückerstattung rueckerstattung rückzahlung rueckzahlung gutschrift gebühr gebühren gebuehr gebuehren auszahlung rückbuchung rücklastschrift ' +
  'remboursement litige frais reembolso devolución devolução contracargo comisión comision retiro rimborso commissione storno terugbetaling terugboeking uitbetaling ' +
  'estorno taxa zwrot opłata prowizja wypłata återbetalning utbetalning avgift tilbagebetaling tilbakebetaling gebyr ' +
  'vrácení poplatek iade iadesi komisyon 返金 手数料'

/** The words of a name or value without accents. Some are in camel case: `MerchantPayout`, `reporting_category`. */
const wordsOf = (text: string): readonly string[] =>
  folded(text.replaceAll(/(?<=\p{Ll})(?=\p{Lu})/gu, ' '))
    .normalize('NFD')
    .replaceAll(/\p{M}/gu, '')
    .split(/[^\p{L}]+/u)
    .filter((word) => word !== '')

const setOf = (words: string): ReadonlySet<string> => new Set(wordsOf(words))
const [kindNames, beside, otherKinds] = [setOf(KIND_NAMES), setOf(BESIDE), setOf(OTHER_THAN_PAYMENTS)]

/** Whether a column of this name says of what kind its rows are. */
export function namesKind(column: string): boolean {
  const words = wordsOf(column)
  return (
    words.some((word) => kindNames.has(word)) &&
    words.every((word) => kindNames.has(word) || beside.has(word))
  )
}

/** A longer text describes something. */
const MOST_WORDS = 4

/** Whether a value means something else than a payment: a refund, dispute, fee, payout or adjustment. */
export function isOtherKind(value: string, mostWords = MOST_WORDS): boolean {
  const kind = rowKindOf(value)
  if (kind !== undefined && kind !== 'other') return kind !== 'payment'
  const words = wordsOf(value)
  return words.length <= mostWords && words.some((word) => otherKinds.has(word))
}

const MOST_VALUES = 100

/** Counts such values in columns that the mapping doesn't filter by. */
export function createKindTally({ header, filters }: Pick<ColumnPlan, 'header' | 'filters'>) {
  const columns = header
    .map((name, column) => ({ name, column, counts: new Map<string, number>() }))
    .filter(({ name, column }) => namesKind(name) && !filters.some((filter) => filter.column === column))
  return {
    add: (cells: readonly string[]): void => {
      for (const { column, counts } of columns) {
        const value = (cells[column] ?? '').trim()
        const known = counts.get(value)
        if (known !== undefined) counts.set(value, known + 1)
        else if (counts.size < MOST_VALUES) counts.set(value, 1)
      }
    },
    all: (): readonly OtherKinds[] =>
      columns
        .map(({ name, counts }) => ({
          column: name,
          all: [...counts.keys()],
          values: [...counts]
            .filter(([value]) => isOtherKind(value))
            .map(([value, rows]) => ({ value, rows }))
            .toSorted((one, other) => other.rows - one.rows),
        }))
        .filter(({ values }) => values.length > 0),
  }
}
