import type { FoundRecords, RecordSearch, RecordWindow } from '../../domain/store/record-store.ts'
import { numberIn, textIn } from '../database.ts'
import type { Database } from '../database.ts'
import { NO_CONDITIONS, joinConditions } from './conditions.ts'
import type { Conditions } from './conditions.ts'
import { RANK, TABLE, beyond, searchConditions, timeOf } from './record-conditions.ts'
import { recordRowsIn } from './record-rows.ts'

/** Every record that matches a search, newest first: `seq * 2`, plus 1 for a payment. */
type Places = readonly number[]

interface Kept {
  readonly search: string
  readonly version: string
  readonly places: Places
}

/**
 * Finds windows of the list of all records. Times and sources have indexes. Other filters read every record, so the
 * places that a search found are kept until the data changes: the next window of the same search then costs nothing.
 */
export function recordWindowsIn(database: Database) {
  let kept: Kept | undefined

  function count(search: RecordSearch, more?: (source: Source) => Conditions): number {
    const { sql, values } = selectFrom(() => 'count(*) AS n', search, more)
    return numberIn(database.get(`SELECT sum(n) AS n FROM (${sql})`, ...values), 'n')
  }

  function placesFrom(search: RecordSearch, offset: number, limit: number): Places {
    const { sql, values } = selectFrom(
      (source) => `${timeOf(source)} AS time, ${RANK[source]} AS code, seq`,
      search,
    )
    // Sorted without another query around it, so that SQLite merges the two indexes and stops at the limit.
    const sorted = `${sql} ORDER BY time DESC, code DESC, seq DESC LIMIT ? OFFSET ?`
    // As one value: a row for each of 100,000 places takes twice as long.
    const found = database.get(
      `SELECT json_group_array(seq * 2 + code) AS places FROM (${sorted})`,
      ...values,
      limit,
      offset,
    )
    const places: unknown = JSON.parse(textIn(found, 'places') ?? '[]')
    return Array.isArray(places) ? places.map(Number) : []
  }

  function allPlaces(search: RecordSearch): Places {
    const [wanted, version] = [JSON.stringify(search), versionOf(database)]
    if (kept?.search !== wanted || kept.version !== version)
      kept = { search: wanted, version, places: placesFrom(search, 0, NO_LIMIT) }
    return kept.places
  }

  return (search: RecordSearch, { offset, limit, start }: RecordWindow): FoundRecords => {
    const newer =
      start === undefined
        ? 0
        : count(search, (source) => beyond(source, { direction: 'newer', place: start }))
    const from = newer + offset
    if (isIndexed(search)) {
      const rows = recordRowsIn(database, placesFrom(search, from, limit))
      return { total: count(search) - newer, newer, rows }
    }
    const places = allPlaces(search)
    return {
      total: places.length - newer,
      newer,
      rows: recordRowsIn(database, places.slice(from, from + limit)),
    }
  }
}

const SOURCES = ['payments', 'external'] as const
type Source = (typeof SOURCES)[number]
const NO_LIMIT = -1

function selectFrom(
  columns: (source: Source) => string,
  search: RecordSearch,
  more: (source: Source) => Conditions = () => NO_CONDITIONS,
) {
  const tables = SOURCES.map((source) => {
    const { where, values } = joinConditions(searchConditions(source, search), more(source))
    return { sql: `SELECT ${columns(source)} FROM ${TABLE[source]}${where}`, values }
  })
  return {
    sql: tables.map(({ sql }) => sql).join(' UNION ALL '),
    values: tables.flatMap(({ values }) => values),
  }
}

const isIndexed = ({ source: _, fromDate: __, toDate: ___, ...others }: RecordSearch): boolean =>
  Object.values(others).every((filter) => filter === undefined)

/** Changes with every write, of this process or another one. */
const versionOf = (database: Database): string =>
  `${numberIn(database.get('PRAGMA data_version'), 'data_version')} ${numberIn(database.get('SELECT total_changes() AS n'), 'n')}`
