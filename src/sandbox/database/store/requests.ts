import { numberIn, textIn } from '../database.ts'
import type { Database, Row } from '../database.ts'
import { MAX_LOGGED_REQUESTS } from '../../log/logged-request.ts'
import type { LoggedDetails, LoggedRequest, RequestLogStore } from '../../log/logged-request.ts'
import type { LoggedExchange } from '../../log/logged-exchange.ts'
import { hasTexts } from './document.ts'

const isLogged = hasTexts<LoggedRequest>('method', 'path')
const isExchange = hasTexts<LoggedExchange>('requestId')

/** One row for all requests of a transaction: a row each would cost as much as the request itself. */
export const requestsIn = (database: Database): RequestLogStore => ({
  append: (entries: readonly LoggedRequest[], exchanges: readonly LoggedExchange[]): void => {
    if (entries.length === 0) return
    database.run(
      'INSERT INTO requests (last, entries, exchanges) VALUES ((SELECT coalesce(max(last), 0) FROM requests) + ?, ?, ?)',
      entries.length,
      JSON.stringify(entries),
      exchanges.length === 0 ? null : JSON.stringify(exchanges),
    )
    database.run(
      'DELETE FROM requests WHERE last <= (SELECT max(last) FROM requests) - ?',
      MAX_LOGGED_REQUESTS,
    )
  },
  list: (limit: number, payment?: string): readonly LoggedRequest[] => {
    if (payment !== undefined)
      return database
        .all('SELECT entries FROM requests WHERE instr(entries, ?) ORDER BY last DESC', pairIn({ payment }))
        .flatMap(entriesIn)
        .filter((entry) => entry.payment === payment)
        .slice(0, limit)
    const newest = numberIn(database.get('SELECT max(last) AS last FROM requests'), 'last')
    return database
      .all('SELECT entries FROM requests WHERE last > ? ORDER BY last DESC', newest - limit)
      .flatMap(entriesIn)
      .slice(0, limit)
  },
  find: (requestId: string): LoggedDetails | undefined => {
    const row = database.get(
      'SELECT entries, exchanges FROM requests WHERE instr(entries, ?) LIMIT 1',
      pairIn({ requestId }),
    )
    if (row === undefined) return undefined
    const entry = entriesIn(row).find((candidate) => candidate.requestId === requestId)
    const exchange = parseList(textIn(row, 'exchanges'))
      .filter(isExchange)
      .find((candidate) => candidate.requestId === requestId)
    return entry === undefined ? undefined : { ...entry, ...exchange }
  },
  clear: (): void => void database.run('DELETE FROM requests'),
})

/** Newest first. */
const entriesIn = (row: Row): readonly LoggedRequest[] =>
  parseList(textIn(row, 'entries')).filter(isLogged).toReversed()

function parseList(text: string | undefined): readonly unknown[] {
  const list: unknown = JSON.parse(text ?? '[]')
  return Array.isArray(list) ? list : []
}

/** How a field is written in the text of an entry. */
const pairIn = (field: Readonly<Record<string, string>>): string => JSON.stringify(field).slice(1, -1)
