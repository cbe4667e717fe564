import { numberIn, textIn } from '../../store/database.ts'
import type { Database, Row } from '../../store/database.ts'
import { MAX_LOGGED_REQUESTS } from '../log/logged-request.ts'
import type { LoggedDetails, LoggedRequest, LogPosition } from '../log/logged-request.ts'
import type { LoggedExchange } from '../log/logged-exchange.ts'
import { hasTexts } from './document.ts'

const isLogged = hasTexts<LoggedRequest>('requestId', 'method', 'path')
const isExchange = hasTexts<LoggedExchange>('requestId')

/** The log of requests. All requests of a transaction share a row: one each would cost as much as the request itself. */
export const requestsIn = (database: Database) => ({
  /** Adds entries. `exchanges` has the bodies of those whose bodies are kept. */
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
  /** The requests, newest first; only those of one payment if it is given. */
  list: (limit: number, payment?: string): readonly LoggedRequest[] => {
    if (payment !== undefined)
      return database
        .all('SELECT entries FROM requests WHERE instr(entries, ?) ORDER BY last DESC', pairIn({ payment }))
        .flatMap(newestFirst)
        .filter((entry) => entry.payment === payment)
        .slice(0, limit)
    const newest = numberIn(database.get('SELECT max(last) AS last FROM requests'), 'last')
    return database
      .all('SELECT entries FROM requests WHERE last > ? ORDER BY last DESC', newest - limit)
      .flatMap(newestFirst)
      .slice(0, limit)
  },
  /** All requests with their bodies, oldest first. */
  details: (): readonly LoggedDetails[] =>
    database.all('SELECT entries, exchanges FROM requests ORDER BY last').flatMap(detailsOf),
  find: (requestId: string): LoggedDetails | undefined => {
    const row = database.get(
      'SELECT entries, exchanges FROM requests WHERE instr(entries, ?) LIMIT 1',
      pairIn({ requestId }),
    )
    return detailsOf(row).find((candidate) => candidate.requestId === requestId)
  },
  /** The position at which the log ends. */
  position: (): LogPosition => {
    const row = database.get('SELECT last, entries FROM requests ORDER BY last DESC LIMIT 1')
    return { number: numberIn(row, 'last'), requestId: entriesOf(row).at(-1)?.requestId ?? '' }
  },
  /** The requests after a position, oldest first, and where they end; undefined if the position is unknown or too old. */
  after: (
    position: LogPosition,
    limit: number,
  ): { readonly entries: readonly LoggedRequest[]; readonly position: LogPosition } | undefined => {
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

/** The entries of a row, oldest first. */
const entriesOf = (row: Row | undefined): readonly LoggedRequest[] =>
  parseList(textIn(row, 'entries')).filter(isLogged)

function detailsOf(row: Row | undefined): readonly LoggedDetails[] {
  const exchanges = parseList(textIn(row, 'exchanges')).filter(isExchange)
  return entriesOf(row).map((entry) => ({
    ...entry,
    ...exchanges.find(({ requestId }) => requestId === entry.requestId),
  }))
}

const newestFirst = (row: Row): readonly LoggedRequest[] => entriesOf(row).toReversed()

function parseList(text: string | undefined): readonly unknown[] {
  const list: unknown = JSON.parse(text ?? '[]')
  return Array.isArray(list) ? list : []
}

/** The text of a field as an entry has it. */
const pairIn = (field: Readonly<Record<string, string>>): string => JSON.stringify(field).slice(1, -1)
