import { hash } from 'node:crypto'
import type { Row } from '../../store/database.ts'
import type { SqlValues } from '../../store/sqlite.ts'
import type { Owner } from './owner.ts'
import type { StoredRecord } from './record.ts'
import { CHANGED } from './tables.ts'
import { targetOf } from './target.ts'
import { sha256 } from '../../files/sha256.ts'

/** A write as the table has it. */
export interface Entry {
  readonly record: StoredRecord
  /** Whether its key is derived from a ticket. */
  readonly isTicket: boolean
  /** How many processes have taken it over. */
  readonly turn: number
  /** The process that works on it. */
  readonly owner: Owner | undefined
  /** Until when that process counts as working if it can't be seen from here. Milliseconds since 1970. */
  readonly leaseUntilMs: number | undefined
}

/** A row that does not match its checksum: none of its columns can be trusted. */
export interface DamagedRecord {
  readonly id: string
  /** Undefined if the account can't be read either. */
  readonly account: string | undefined
  /** The target, as its column has it. */
  readonly target?: string | undefined
}

export type ReadRow =
  | { readonly kind: 'entry'; readonly entry: Entry }
  | { readonly kind: 'damaged'; readonly damaged: DamagedRecord }

/** A row that matches its checksum. Parsing its record takes longer than reading it. */
export interface IntactRow {
  readonly kind: 'intact'
  readonly state: string
  readonly createdAtMs: number
  /** The record. */
  readonly json: string
  readonly entry: () => Entry
}

export type CheckedRow = IntactRow | Extract<ReadRow, { kind: 'damaged' }>

const COLUMNS = [
  'id',
  'account',
  'api_key_id',
  'target',
  'key',
  'ticket',
  'state',
  'turn',
  'lease_until',
  'owner',
  'created_at',
  'updated_at',
  'record',
] as const
const ROW = [...COLUMNS, 'checksum'] as const

/** What {@link checkValues} reads; its last column is the row's place. */
export const VALUES = [...ROW, 'place'].join()

/** Inserts a write. Changes no row if it is there, or if an open write has its target or its ticket. */
export const INSERT = `INSERT INTO writes(${COLUMNS.join()}, checksum) VALUES (${COLUMNS.map((name) => `:${name}`).join()}, :checksum)
  ON CONFLICT DO NOTHING`

/** Changes a write, whether it has ended or not, if nothing has changed since it was read. */
export const SEAL = `UPDATE writes SET ${[...CHANGED, 'checksum'].map((name) => `${name} = :${name}`).join()}
  WHERE id = :id AND turn = :was`

/** Changes an open write, if this process still has its turn. */
export const UPDATE = `${SEAL} AND state IN ('sending', 'in-doubt')`

/** The values of every column. */
export function valuesOf({ record, isTicket, turn, owner, leaseUntilMs }: Entry) {
  const values = {
    id: record.id,
    account: record.account,
    api_key_id: record.apiKeyId,
    target: targetOf(record),
    key: record.idempotencyKey,
    ticket: isTicket ? 1 : 0,
    state: record.state,
    turn,
    lease_until: leaseUntilMs ?? null,
    owner: owner === undefined ? null : JSON.stringify(owner),
    created_at: Date.parse(record.createdAt),
    updated_at: Date.parse(record.updatedAt),
    record: JSON.stringify(record),
  }
  return { ...values, checksum: checksumOf(COLUMNS.map((name) => values[name])) }
}

/** The values that {@link UPDATE} takes. */
export function changesOf(entry: Entry, was: number): SqlValues {
  const { id, state, turn, lease_until, owner, updated_at, record, checksum } = valuesOf(entry)
  return { id, state, turn, lease_until, owner, updated_at, record, checksum, was }
}

/** A damaged row as one that a person has abandoned: what else it says stays as it is. */
export function sealed(row: Row, now: Date): SqlValues {
  const parsed = recordOr({}, row['record'])
  const record: Partial<StoredRecord> = {
    ...parsed,
    id: String(row['id']),
    state: 'abandoned',
    updatedAt: now.toISOString(),
    note: 'It was damaged, and a person has abandoned it.',
  }
  const changes = {
    state: 'abandoned',
    turn: Number(row['turn']),
    lease_until: null,
    owner: null,
    updated_at: now.getTime(),
    record: JSON.stringify(record),
  }
  const changed: Row = { ...row, ...changes }
  return { id: String(row['id']), ...changes, checksum: checksumOf(COLUMNS.map((name) => changed[name])) }
}

function recordOr<T>(fallback: T, text: unknown): Partial<StoredRecord> | T {
  try {
    return recordIn(String(text))
  } catch {
    return fallback
  }
}

/** The checksum of a row. Detects damage, not deliberate changes. */
const checksumOf = (values: readonly unknown[]): string => sha256(values.map(written).join('\n')).slice(0, 32)

/** A value in the checksummed text. NULL isn't the empty text, which is one byte away from it in the file. */
const written = (value: unknown): string =>
  typeof value === 'string' ? value : value == null ? '\0' : JSON.stringify(value)

export function readRow(row: Row): ReadRow {
  const checked = checkValues(ROW.map((name) => row[name]))
  return checked.kind === 'damaged' ? checked : { kind: 'entry', entry: checked.entry() }
}

/** Checks the values of the columns of {@link VALUES}. */
export function checkValues(values: readonly unknown[]): CheckedRow {
  const [id, account, , target, , ticket, state, turn, leaseUntil, owner, createdAt, , record, checksum] =
    values
  if (checksum !== checksumOf(values.slice(0, COLUMNS.length)))
    return { kind: 'damaged', damaged: damagedIn({ id, account, target, record }) }
  const json = String(record)
  return {
    kind: 'intact',
    state: String(state),
    createdAtMs: Number(createdAt),
    json,
    entry: () => ({
      // The checksum proves that both were written as such.
      record: recordIn(json),
      isTicket: ticket === 1,
      turn: Number(turn),
      owner: typeof owner === 'string' ? ownerIn(owner) : undefined,
      leaseUntilMs: leaseUntil === null ? undefined : Number(leaseUntil),
    }),
  }
}

function recordIn(text: string): StoredRecord {
  const record: StoredRecord = JSON.parse(text)
  return record
}

function ownerIn(text: string): Owner {
  const owner: Owner = JSON.parse(text)
  return owner
}

function damagedIn({
  id,
  account,
  target,
  record,
}: Record<'id' | 'account' | 'target' | 'record', unknown>): DamagedRecord {
  // The account is written twice; only if both are equal is it certain.
  const isReadable = typeof account === 'string' && String(record).includes(`"account":"${account}"`)
  return {
    id: String(id),
    account: isReadable ? account : undefined,
    ...(typeof target === 'string' ? { target } : {}),
  }
}

/** What an open write adds to the tally's marks, and removes again when it ends: 64 bits in hexadecimal. */
export const markOf = (id: string): string => hash('sha256', id, 'hex').slice(0, 16)

/** Both marks combined; combining with the same one again undoes it. Damaged marks stay as they are. */
export function combined(one: string, other: string): string {
  if (!/^[\da-f]{16}$/.test(one)) return one
  return (BigInt(`0x${one}`) ^ BigInt(`0x${other}`)).toString(16).padStart(16, '0')
}
