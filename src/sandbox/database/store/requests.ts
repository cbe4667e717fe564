import { numberIn, textIn } from '../database.ts'
import type { Database } from '../database.ts'
import { MAX_LOGGED_REQUESTS } from '../../log/logged-request.ts'
import type { LoggedRequest, RequestLogStore } from '../../log/logged-request.ts'
import { hasTexts } from './document.ts'

const isLogged = hasTexts<LoggedRequest>('method', 'path')

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
      .flatMap((row) => {
        const entries: unknown = JSON.parse(textIn(row, 'entries') ?? '[]')
        return Array.isArray(entries) ? entries.filter(isLogged).toReversed() : []
      })
      .slice(0, limit)
  },
  clear: (): void => void database.run('DELETE FROM requests'),
})
