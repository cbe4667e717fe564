import type { Repeat, Repeats } from '../../rows/keep/repeats.ts'
import { pluralize } from '../../text/words.ts'

/** Rows with the paymentId of an earlier row. */
export interface ImportRepeats extends Repeats {
  /** Which row of each paymentId determines the record. */
  readonly kept: 'first' | 'last'
}

/** `2 rows repeat the paymentId of an earlier row; only the last row of each counts`. */
export const repeatsSentence = ({ count, kept }: Pick<ImportRepeats, 'count' | 'kept'>): string =>
  `${pluralize(count, 'row repeats', 'rows repeat')} the paymentId of an earlier row; only the ${kept} row of each counts`

/** `ext-7 (rows 3, 9)`. */
export function repeatWords({ paymentId, count, rows }: Repeat): string {
  const more = count + 1 - rows.length
  return `${paymentId} (rows ${rows.join(', ')}${more === 0 ? '' : ` and ${more} more`})`
}
