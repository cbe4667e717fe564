import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { refuseEqualFiles } from '../keep/equal-files.ts'
import { usingFile } from '../file-errors.ts'
import { lockFile, lockOutputs } from '../keep/lock-file.ts'
import { refuseOtherContent } from '../keep/output-files.ts'
import { outputFilesOf, refuseUnwritable } from '../keep/row-files.ts'
import type { OutputForms, OutputPaths } from '../keep/row-files.ts'
import { removeRunDatabase } from '../keep/run-database.ts'
import { openRunStore } from '../keep/run-store.ts'
import type { RunStore } from '../keep/run-store.ts'

import { csvLine } from '../read/csv-line.ts'
import { SAMPLE_BYTES } from '../read/input.ts'
import { EXIT, PayError } from '../../errors.ts'
import { checkPrivateFolder, makePrivateFolder } from '../../files/private-folder.ts'
import type { ImportSettings } from './settings.ts'
import type { ImportSource } from './source.ts'

export const RESULTS_HEADER = csvLine(['row', 'paymentId', 'outcome', 'errorId', 'message'])

/** How an import writes its files. */
export const formsOf = ({ rejects }: ImportSource): OutputForms => ({
  resultsHeader: RESULTS_HEADER,
  rejects,
})

/** The files of a run, locked for this process until `release`. */
export interface RunState extends OutputPaths {
  readonly store: RunStore
  readonly release: () => void
}

export interface RunStateOptions {
  readonly settings: ImportSettings
  readonly source: ImportSource
  readonly cwd: string
  readonly stateFolder: string
  readonly uid: number | undefined
  readonly baseUrl: string
  /** The account: `['profile', NAME]` or `['key', KEY]`. */
  readonly account: readonly (string | undefined)[]
}

/** @throws {PayError} if another process has the run, or its files can't be used */
export function openRunState(options: RunStateOptions): RunState {
  const { settings, source, cwd, stateFolder, uid } = options
  const [results, rejects] = [settings.results, settings.rejects].map((path) =>
    path === undefined ? undefined : resolve(cwd, path),
  )
  refuseOneFileTwice(settings, cwd)
  const folder = join(stateFolder, 'imports')
  const name = runName(options, (one) => existsSync(join(folder, `${one}.db`)))
  for (const path of [stateFolder, folder]) checkPrivateFolder(path, uid)
  usingFile(folder, 'written', () => makePrivateFolder(folder))
  const locks: (() => void)[] = []
  const release = () => {
    for (const unlock of locks.splice(0).toReversed()) unlock()
  }
  try {
    const running = () => conflict('This import is already running in another process')
    locks.push(lockFile(join(folder, `${name}.lock`), running))
    const writing = (path: string) => conflict(`Another process is writing ${path}`)
    locks.push(lockOutputs(stateFolder, [results, rejects], writing))
    refuseOtherContent(outputFilesOf(settings, formsOf(source)), cwd)
    for (const path of [results, rejects]) if (path !== undefined) refuseUnwritable(path)
    const path = join(folder, `${name}.db`)
    if (settings.restart) removeRunDatabase(path)
    // With the other ways to treat an existing record, it matters whether this run may have created it.
    const isSentSynced = settings.onExists !== 'update'
    const store = openRunStore({ path, name, isSentSynced })
    locks.push(store.close)
    return { store, results, rejects, release }
  } catch (error) {
    release()
    throw error
  }
}

const conflict = (message: string): PayError =>
  new PayError('import_running', EXIT.conflict, message, {
    outcome: 'none',
    retryable: true,
    hint: 'Wait for it to end, or stop it: the same command resumes where it stops.',
  })

/**
 * The name of a run: what is imported where and how. Another file, mapping or target is another run. Only the first two lines of a
 * slow stream have surely arrived when it begins again, so they name its run, which the same input continues when it is fast.
 */
function runName(
  { settings, source: { input, formatKey }, cwd, baseUrl, account }: RunStateOptions,
  exists: (name: string) => boolean,
): string {
  // Several parts of a small file may be a header alone, and are imported at once.
  const itself = settings.format === 'csv' && isHeaderAlone(input) ? [resolve(cwd, settings.path)] : []
  const how = [input.size, formatKey, settings.onExists, settings.shard, baseUrl, ...account, ...itself]
  const name = hashed(how, input.head.subarray(0, SAMPLE_BYTES))
  if (input.size !== undefined) return name
  const slow = hashed(['slow', ...how], firstLines(input.head))
  return input.isSlow || (!exists(name) && exists(slow)) ? slow : name
}

/** Whether a file has one line, with its end: there is no row to resume. */
const isHeaderAlone = ({ size, head }: ImportSource['input']): boolean =>
  size !== undefined && head.length === size && head.indexOf(LINE_FEED) === size - 1

function firstLines(head: Buffer): Buffer {
  const end = head.indexOf(LINE_FEED, head.indexOf(LINE_FEED) + 1)
  return head.subarray(0, end === -1 ? head.length : end)
}

const LINE_FEED = 0x0a

const hashed = (value: readonly unknown[], bytes: Uint8Array = new Uint8Array()): string =>
  createHash('sha256').update(JSON.stringify(value)).update(bytes).digest('hex').slice(0, 32)

/** @throws {UsageError} `two_sources` */
export const refuseOneFileTwice = ({ path, results, rejects }: ImportSettings, cwd: string): void =>
  refuseEqualFiles(
    [
      ['FILE', path === '-' ? undefined : path],
      ['--results', results],
      ['--rejects', rejects],
    ],
    cwd,
  )
