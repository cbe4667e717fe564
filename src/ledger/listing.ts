import { createHash } from 'node:crypto'
import { noSuchOperation, tooShort } from './files/ledger-errors.ts'
import type { DamagedLine } from './files/damaged-line.ts'
import type { History } from './files/history.ts'
import type { OpenEntry } from './files/open-entry.ts'
import type { OpenFolder } from './files/open-folder.ts'
import type { OpenFile } from './files/open-files.ts'
import type { Owner } from './files/owner.ts'
import { byCreation, testsFor } from './files/record-filter.ts'
import type { RecordFilter } from './files/record-filter.ts'
import type { StoredRecord } from './files/record.ts'
import { cleanUpAfterCrash } from './files/crash-cleanup.ts'
import type { CleanupParts } from './files/crash-cleanup.ts'

/** A shorter prefix too easily matches another record. */
const MIN_PREFIX_LENGTH = 4

/** Records of the ledger, latest first. */
export interface Listing {
  readonly records: readonly StoredRecord[]
  /** Files and lines that can't be read; a person has to check them. */
  readonly damaged: {
    readonly files: readonly DamagedFile[]
    /** Lines of the history, in all and by file. */
    readonly lines: number
    readonly histories: readonly { readonly path: string; readonly lines: number }[]
  }
  /** How many incomplete records of crashes were removed; nothing was sent for them. */
  readonly cutShort: number
}

export interface DamagedFile {
  /** Its id, or its file name if the name contains none. */
  readonly name: string
  readonly path: string
}

export interface ListOptions extends RecordFilter {
  readonly onlyOpen?: boolean
  /** Whether to change nothing, not even remove what a crash has left. */
  readonly isReadOnly?: boolean
}

export type FoundEntry =
  | {
      readonly kind: 'record'
      readonly record: StoredRecord
      /** The process that is working on it. */
      readonly owner: Owner | undefined
      /** Whether only that process's number is known, which may belong to another program by now. */
      readonly isPidOnly: boolean
    }
  | ({ readonly kind: 'damaged' } & DamagedFile)

export interface ListingParts {
  readonly open: OpenFolder
  readonly history: History
  readonly pathOf: (file: OpenFile) => string
  readonly isBusy: (file: OpenFile) => boolean
  /** Whether only its process's number is known, which may belong to another program by now. */
  readonly isPidOnly: (file: OpenFile) => boolean
  readonly cleanUpAfterCrash: CleanupParts
}

/** Lists and finds records. */
export function createListing({
  open,
  history,
  pathOf,
  isBusy,
  isPidOnly,
  cleanUpAfterCrash: parts,
}: ListingParts) {
  function foundOpen(file: OpenFile): FoundEntry {
    const { name, record } = file
    if (record === undefined) return { kind: 'damaged', name, path: pathOf(file) }
    return isBusy(file)
      ? {
          kind: 'record',
          record: { ...record, state: 'sending' },
          owner: file.owner,
          isPidOnly: isPidOnly(file),
        }
      : { kind: 'record', record: { ...record, state: 'in-doubt' }, owner: undefined, isPidOnly: false }
  }

  /** Leaves out the claims of dead processes, which never became writes. */
  const openOnes = async (fits?: (entry: OpenEntry) => boolean): Promise<readonly OpenFile[]> =>
    (await open.all(fits)).filter((file) => !file.isClaim || file.record === undefined || isBusy(file))

  return {
    /** What has ended on a target. */
    endedOn: async (target: string | null) => {
      const fits = target === null ? () => false : testsFor({ targets: [target] }).fits
      const { records, damaged } = await history.all(fits)
      return { others: records, damaged }
    },

    async list({ onlyOpen = false, isReadOnly = false, ...filter }: ListOptions): Promise<Listing> {
      const cutShort = isReadOnly ? 0 : await cleanUpAfterCrash(parts)
      const { fits, isInState } = testsFor({ ...filter, targets: filter.targets?.flatMap(namesOf) })
      const found = (await openOnes()).map(foundOpen)
      const current = found.flatMap((one) => {
        return one.kind === 'record' && fits(one.record) ? [one.record] : []
      })
      const past = onlyOpen ? { records: [], damaged: [] } : await history.all(fits)
      const isOver = onlyOpen
        ? await history.endedAmong(current.map(({ id }) => id))
        : new Set(past.records.map(({ id }) => id))
      return {
        records: [...current.filter(({ id }) => !isOver.has(id)), ...past.records]
          .filter(isInState)
          .toSorted(byCreation),
        damaged: {
          files: found.filter((one) => one.kind === 'damaged'),
          lines: past.damaged.length,
          histories: byFile(past.damaged),
        },
        cutShort,
      }
    },

    async find(id: string): Promise<FoundEntry> {
      if (id.length < MIN_PREFIX_LENGTH) throw tooShort(MIN_PREFIX_LENGTH)
      const files = await openOnes(({ name }) => name.startsWith(id))
      const past = await history.findByPrefix(id)
      const current = files.filter(({ record }) => past.every((over) => over.id !== record?.id))
      const found: readonly FoundEntry[] = [...past.map(foundPast), ...current.map(foundOpen)]
      const exact = found.find((one) => (one.kind === 'record' ? one.record.id : one.name) === id)
      const [first] = found
      if (exact !== undefined) return exact
      if (first === undefined || found.length > 1) throw noSuchOperation(first !== undefined, 'any')
      return first
    },
  }
}

function byFile(damaged: readonly DamagedLine[]) {
  const lines = new Map<string, number>()
  for (const { path } of damaged) lines.set(path, (lines.get(path) ?? 0) + 1)
  return [...lines].map(([path, count]) => ({ path, lines: count }))
}

const foundPast = (record: StoredRecord): FoundEntry => ({
  kind: 'record',
  record,
  owner: undefined,
  isPidOnly: false,
})

/** A target as typed and, for tokens, as stored: its hash. */
const namesOf = (target: string): readonly string[] => [
  target,
  `sha256:${createHash('sha256').update(target).digest('hex')}`,
]
