/** Rows with the paymentId of an earlier row. */
export interface ImportRepeats {
  readonly count: number
  /** Which row of each paymentId the records are made of in the end. */
  readonly kept: 'first' | 'last'
  readonly first: readonly ImportRepeat[]
  /** From this row on not all of them were found. */
  readonly partialFrom: number | undefined
}

interface ImportRepeat {
  readonly paymentId: string
  /** All of its rows but the first. */
  readonly count: number
  readonly rows: readonly number[]
}

/** "2 rows repeat the paymentId of an earlier row, and only the last row of each stays" */
export const repeatsSentence = ({ count, kept }: Pick<ImportRepeats, 'count' | 'kept'>): string =>
  `${count === 1 ? '1 row repeats' : `${count} rows repeat`} the paymentId of an earlier row; only the ${kept} row of each stays`

/** `ext-7 (rows 3, 9)`. */
export function repeatWords({ paymentId, count, rows }: ImportRepeat): string {
  const more = count + 1 - rows.length
  return `${paymentId} (rows ${rows.join(', ')}${more === 0 ? '' : ` and ${more} more`})`
}

export const partialSentence = (row: number): string =>
  `From row ${row} on, repeats may be missing: the temporary folder is full`
