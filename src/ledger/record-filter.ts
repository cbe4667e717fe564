import type { OperationRecord, State, StoredRecord } from './record.ts'

export interface RecordFilter {
  /** ISO 8601 with milliseconds, UTC; both ends are inclusive. */
  readonly from?: string | undefined
  readonly to?: string | undefined
  /** Matches any of these; so do `states` and `targets`. */
  readonly operations?: readonly string[] | undefined
  readonly states?: readonly State[] | undefined
  readonly targets?: readonly string[] | undefined
  readonly profile?: string | undefined
}

export type RecordTest = (record: StoredRecord) => boolean

/** `fits` tests fields that never change. The state is a separate test, because only a record's latest line has the current one. */
export function testsFor({ from, to, operations, states, targets, profile }: RecordFilter): {
  readonly fits: RecordTest
  readonly isInState: RecordTest
} {
  const tests = [
    ({ createdAt }: StoredRecord) => from === undefined || createdAt >= from,
    ({ createdAt }: StoredRecord) => to === undefined || createdAt <= to,
    isAnyOf('operation', operations),
    isAnyOf('target', targets),
    isAnyOf('profile', profile === undefined ? undefined : [profile]),
  ]
  return { fits: (record) => tests.every((test) => test(record)), isInState: isAnyOf('state', states) }
}

const isAnyOf =
  (name: keyof OperationRecord, values: readonly unknown[] | undefined): RecordTest =>
  (record) =>
    values === undefined || values.includes(record[name])

type Created = Pick<StoredRecord, 'createdAt'>

/** Latest first. */
export const byCreation = (a: Created, b: Created): number =>
  a.createdAt === b.createdAt ? 0 : a.createdAt < b.createdAt ? 1 : -1
