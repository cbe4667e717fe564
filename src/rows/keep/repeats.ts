import { numberIn, textIn } from '../../store/database.ts'
import type { Database } from '../../store/database.ts'

/** The rows with the paymentId of an earlier row. */
export interface Repeats {
  readonly count: number
  /** The first repeated paymentIds. */
  readonly first: readonly Repeat[]
}

export interface Repeat {
  readonly paymentId: string
  /** The number of the ID's rows without the first. */
  readonly count: number
  /** The first rows of the ID. */
  readonly rows: readonly number[]
}

const SHOWN_IDS = 20
const SHOWN_ROWS = 5

/** Finds the repeats in a table `rows(row, id)`. Rows without an ID repeat nothing. */
export function repeatsIn(database: Database): Repeats {
  database.run('DROP TABLE IF EXISTS temp.repeats')
  database.run(
    `CREATE TEMP TABLE repeats AS
      SELECT id, count(*) - 1 AS more, min(row) AS first FROM rows WHERE id <> '' GROUP BY id HAVING count(*) > 1`,
  )
  const count = numberIn(database.get('SELECT sum(more) AS count FROM repeats'), 'count')
  const shown = database.all('SELECT id, more FROM repeats ORDER BY first LIMIT ?', SHOWN_IDS)
  // One pass over the rows finds all repeats.
  const rowsOf = new Map<string, number[]>(shown.map((row) => [textIn(row, 'id') ?? '', []]))
  if (count > 0)
    for (const row of database.all(
      `SELECT row, id FROM (
        SELECT row, id, row_number() OVER (PARTITION BY id ORDER BY row) AS place FROM rows
          WHERE id IN (SELECT id FROM repeats ORDER BY first LIMIT ${SHOWN_IDS})
      ) WHERE place <= ${SHOWN_ROWS} ORDER BY row`,
    ))
      rowsOf.get(textIn(row, 'id') ?? '')?.push(numberIn(row, 'row'))
  const first = shown.map((row) => {
    const paymentId = textIn(row, 'id') ?? ''
    return { paymentId, count: numberIn(row, 'more'), rows: rowsOf.get(paymentId) ?? [] }
  })
  return { count, first }
}
