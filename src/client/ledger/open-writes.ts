import { EXIT, PayError } from '../../errors.ts'
import { numberIn, textIn } from '../../store/database.ts'
import type { Row } from '../../store/database.ts'
import type { Tx } from '../../store/store.ts'
import { combined, markOf, readRow } from './entry.ts'
import type { DamagedRecord, Entry, ReadRow } from './entry.ts'
import type { StoredRecord } from './record.ts'
import { OPEN } from './tables.ts'
import { targetOf } from './target.ts'
import { shellWord } from '../../files/shell.ts'

/** The writes that have not ended, and the tally that shows whether one of them was lost. */

export interface Tally {
  readonly open: number
  /** The marks of all open writes, combined. */
  readonly marks: string
}

export async function openRows(tx: Tx): Promise<readonly ReadRow[]> {
  return (await tx.all(`SELECT * FROM writes WHERE ${OPEN}`)).map(readRow)
}

export async function readTally(tx: Tx): Promise<Tally> {
  const row = await tx.get('SELECT open, marks FROM tally')
  return { open: numberIn(row, 'open'), marks: textIn(row, 'marks') ?? '' }
}

export const writeTally = async (tx: Tx, { open, marks }: Tally): Promise<void> => {
  await tx.run('UPDATE tally SET open = :open, marks = :marks', { open, marks })
}

/** What the tally should be for these rows. */
export function tallyOf(ids: readonly string[]): Tally {
  const none = '0'.repeat(16)
  return { open: ids.length, marks: ids.reduce((marks, id) => combined(marks, markOf(id)), none) }
}

export const isSameTally = (one: Tally, other: Tally): boolean =>
  one.open === other.open && one.marks === other.marks

export const idOf = (read: ReadRow): string =>
  read.kind === 'entry' ? read.entry.record.id : read.damaged.id

/** Counts a write that begins (1) or ends (-1). */
export async function count(tx: Tx, id: string, change: 1 | -1): Promise<void> {
  const { open, marks } = await readTally(tx)
  await writeTally(tx, { open: open + change, marks: combined(marks, markOf(id)) })
}

/** The open writes, and what is wrong with them: some can't be read, or are missing. */
interface OpenDamage {
  readonly entries: readonly Entry[]
  readonly records: readonly DamagedRecord[]
  /** Whether the open writes are not those that were counted. */
  readonly isMiscounted: boolean
}

/**
 * Reads the open writes, and what is wrong with them. A team's ledger has no tally, for which all its writers would have to
 * wait: PostgreSQL keeps its rows by itself.
 */
export const findOpenDamage = async (tx: Tx, tallied: Tallied): Promise<OpenDamage> =>
  damageIn(tx, await openRows(tx), tallied)

async function damageIn(tx: Tx, rows: readonly ReadRow[], { isTallied }: Tallied): Promise<OpenDamage> {
  return {
    entries: rows.flatMap((row) => (row.kind === 'entry' ? [row.entry] : [])),
    records: rows.flatMap((row) => (row.kind === 'damaged' ? [row.damaged] : [])),
    isMiscounted: isTallied && !isSameTally(await readTally(tx), tallyOf(rows.map(idOf))),
  }
}

export interface Tallied {
  readonly isTallied: boolean
}

const isOpen = (row: Row): boolean => Number(row['is_open']) === 1

/**
 * The open writes. Refuses every write that damage may concern: an open record that can't be read blocks its account and its
 * target, and if its account can't be read either, or a record is missing, everything; one that has ended blocks its target.
 * @throws {PayError} `ledger_damaged`, exit 6
 */
export async function refuseDamage(
  tx: Tx,
  { account, ...wanted }: Pick<StoredRecord, 'account' | 'baseUrl' | 'targetKind' | 'target'>,
  tallied: Tallied,
): Promise<readonly Entry[]> {
  const target = targetOf({ account, ...wanted })
  const rows = await tx.all(
    `SELECT 1 AS is_open, writes.* FROM writes WHERE ${OPEN}
      UNION ALL SELECT 0 AS is_open, writes.* FROM writes WHERE target = :target AND NOT (${OPEN})`,
    { target },
  )
  const { entries, records, isMiscounted } = await damageIn(tx, rows.filter(isOpen).map(readRow), tallied)
  const blocking = records.find(
    (damaged) =>
      damaged.account === undefined ||
      damaged.account === account ||
      (target !== null && damaged.target === target),
  )
  if (blocking !== undefined) throw damagedRecord(blocking.id)
  if (isMiscounted) throw miscounted()
  for (const row of rows) if (!isOpen(row)) intact(readRow(row))
  return entries
}

/** The entry, unless it is damaged. */
export function intact(read: ReadRow): Entry {
  if (read.kind === 'damaged') throw damagedRecord(read.damaged.id)
  return read.entry
}

const damaged = (message: string, hint: string, next: readonly string[]): PayError =>
  new PayError('ledger_damaged', EXIT.conflict, `Nothing was sent: ${message}`, {
    outcome: 'none',
    retryable: false,
    hint,
    next,
  })

const LOOK = 'Its write may have been done: check your latest payments at the service first.'

export const damagedRecord = (id: string): PayError =>
  damaged(
    `the ledger's record ${id} of an earlier write is damaged`,
    `It does not match its checksum. ${LOOK} Then pay ops abandon sets it aside.`,
    [`pay ops abandon ${shellWord(id)}`],
  )

export const miscounted = (): PayError =>
  damaged(
    'the ledger has lost a record of an open write, or has one that it never counted',
    `${LOOK} Then pay ops abandon --damaged-ledger sets the file aside and keeps every record that can be read.`,
    ['pay ops list --state in-doubt', 'pay ops abandon --damaged-ledger'],
  )
