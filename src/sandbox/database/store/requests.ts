import { numberIn, textIn } from '../database.ts'
import type { Database, Row } from '../database.ts'
import { MAX_LOGGED_REQUESTS } from '../../log/logged-request.ts'
import type { LoggedRequest, LogPosition, RequestLogStore } from '../../log/logged-request.ts'
import { hasTexts } from './document.ts'

const isLogged = hasTexts<LoggedRequest>('requestId', 'method', 'path')

/** One row for all requests of a transaction: a row each would cost as much as the request itself. */
export const requestsIn = (database: Database): RequestLogStore => ({
  append: (entries: readonly LoggedRequest[]): void => {
    if (entries.length === 0) return
    database.run(
      'INSERT INTO requests (last, entries) VALUES ((SELECT coalesce(max(last), 0) FROM requests) + ?, ?)',
      entries.length,
      JSON.stringify(entries),
    )
    database.run(
      'DELETE FROM requests WHERE last <= (SELECT max(last) FROM requests) - ?',
      MAX_LOGGED_REQUESTS,
    )
  },
  list: (limit: number): readonly LoggedRequest[] => {
    const newest = numberIn(database.get('SELECT max(last) AS last FROM requests'), 'last')
    return database
      .all('SELECT entries FROM requests WHERE last > ? ORDER BY last DESC', newest - limit)
      .flatMap((row) => entriesOf(row).toReversed())
      .slice(0, limit)
  },
  position: (): LogPosition => {
    const row = database.get('SELECT last, entries FROM requests ORDER BY last DESC LIMIT 1')
    return { number: numberIn(row, 'last'), requestId: entriesOf(row).at(-1)?.requestId ?? '' }
  },
  after: (position: LogPosition, limit: number) => {
    // The row that holds the position comes first.
    const rows = database.all(
      'SELECT last, entries FROM requests WHERE last >= ? ORDER BY last LIMIT ?',
      position.number,
      limit + 1,
    )
    const entries = rows.flatMap(entriesOf)
    const before = numberIn(rows[0], 'last') - entriesOf(rows[0]).length
    const start = position.number - before
    if (start < 0 || (entries[start - 1]?.requestId ?? '') !== position.requestId) return undefined
    const found = entries.slice(start, start + limit)
    const last = found.at(-1)
    return {
      entries: found,
      position:
        last === undefined ? position : { number: position.number + found.length, requestId: last.requestId },
    }
  },
  clear: (): void => void database.run('DELETE FROM requests'),
})

/** Oldest first. */
function entriesOf(row: Row | undefined): readonly LoggedRequest[] {
  const entries: unknown = JSON.parse(textIn(row, 'entries') ?? '[]')
  return Array.isArray(entries) ? entries.filter(isLogged) : []
}
