import { createHash } from 'node:crypto'
import { existsSync, readdirSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { START_OVER, readCheckpoint, removeCheckpoint } from '../bulk/keep/checkpoint.ts'
import type { Checkpoint } from '../bulk/keep/checkpoint.ts'
import { refuseEqualFiles } from '../bulk/keep/equal-files.ts'
import { usingFile } from '../bulk/keep/file-errors.ts'
import { refuseOtherContent } from '../bulk/keep/output-files.ts'
import { realPathOf } from '../bulk/keep/real-path.ts'
import { runDamaged } from '../bulk/keep/run-damaged.ts'
import { lockRun } from '../bulk/keep/run-lock.ts'
import type { Holder } from '../bulk/keep/run-lock.ts'
import { SAMPLE_BYTES } from '../bulk/read/input.ts'
import { EXIT, PayError, UsageError } from '../errors.ts'
import { checkPrivateFolder, makePrivateFolder, syncPath } from '../private-folder.ts'
import { NO_COUNTS } from './counts.ts'
import { outputFilesOf } from './output-files.ts'
import type { ImportSettings } from './settings.ts'
import type { ImportSource } from './source.ts'

/** The files of a run, locked for this process until `release`. */
export interface RunState {
  readonly run: string
  readonly checkpointPath: string
  readonly journalPath: string
  readonly results: string | undefined
  readonly rejects: string | undefined
  /** Where an earlier run stopped. */
  readonly from: Checkpoint | undefined
  readonly forget: () => void
  readonly release: () => void
}

export interface RunStateOptions {
  readonly settings: ImportSettings
  readonly source: ImportSource
  readonly cwd: string
  readonly stateFolder: string
  readonly uid: number | undefined
  readonly baseUrl: string
  /** Identifies the account: `['profile', NAME]` or `['key', KEY]`. */
  readonly account: readonly (string | undefined)[]
  /** The lock holder. `activeFiles`: files that it writes all the time, which show other machines that it is running. */
  readonly holder: (activeFiles: readonly string[]) => Holder
}

/** @throws {PayError} if another process has the run; {@link UsageError} if its files don't match the earlier run's */
export function openRunState(options: RunStateOptions): RunState {
  const { settings, source, cwd, stateFolder, uid, holder } = options
  const [results, rejects] = [settings.results, settings.rejects].map((path) =>
    path === undefined ? undefined : resolve(cwd, path),
  )
  refuseOneFileTwice(settings, cwd)
  const run = runName(options)
  const folder = importsFolder(stateFolder)
  for (const path of [stateFolder, folder]) checkPrivateFolder(path, uid)
  usingFile(folder, 'written', () => makePrivateFolder(folder))
  const [checkpointPath, journalPath] = [join(folder, `${run}.json`), join(folder, `${run}.journal`)]
  const forget = () => {
    for (const path of [checkpointPath, journalPath])
      for (const one of [path, `${path}.next`]) removeCheckpoint(one)
    // Otherwise a power cut could restore the checkpoint, which would refer to results that a later run has overwritten.
    syncPath(folder)
  }
  const locks: (() => void)[] = []
  const release = () => {
    for (const unlock of locks.splice(0)) unlock()
  }
  try {
    const running = () => conflict('This import is already running in another process')
    locks.push(lockRun(folder, run, holder([checkpointPath, journalPath]), running))
    for (const path of [results, rejects]) {
      if (path === undefined) continue
      const writing = () => conflict(`Another import is writing ${path}`)
      locks.push(lockRun(folder, `file-${hashed([realPathOf(path)])}`, holder([path]), writing))
    }
    if (settings.restart) forget()
    const from = readCheckpoint(checkpointPath, NO_COUNTS)
    if (from !== undefined && from.run !== run)
      throw runDamaged(checkpointPath, 'is about another import', START_OVER)
    if (from !== undefined) refuseOtherFiles(from, results, rejects)
    // An earlier run of this import has begun these files.
    else refuseOtherContent(outputFilesOf(settings, source), cwd)
    return { run, checkpointPath, journalPath, results, rejects, from, forget, release }
  } catch (error) {
    release()
    throw error
  }
}

export const importsFolder = (stateFolder: string): string => join(stateFolder, 'imports')

const conflict = (message: string): PayError =>
  new PayError('import_running', EXIT.conflict, message, {
    outcome: 'none',
    retryable: true,
    hint: 'Wait for it to end, or stop it: the same command resumes where it stops.',
  })

/** Identifies what is imported where and how: another file, mapping or target is another run. */
function runName({ settings, source: { input, formatKey }, baseUrl, account }: RunStateOptions): string {
  const how = [input.size, formatKey, settings.onExists, settings.shard, baseUrl, ...account]
  return hashed(how, input.head.subarray(0, SAMPLE_BYTES))
}

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

/**
 * Refuses to overwrite a file that an interrupted import continues when it resumes.
 * @throws {UsageError} `results_changed`
 */
export function refuseFileOfRun(stateFolder: string, path: string): void {
  const folder = importsFolder(stateFolder)
  if (!existsSync(folder)) return
  for (const name of readdirSync(folder).filter((one) => one.endsWith('.json'))) {
    const from = checkpointAt(join(folder, name))
    if (from?.results === path || from?.rejects === path)
      throw new UsageError(`An interrupted import still needs ${path}`, {
        code: 'results_changed',
        outcome: 'none',
        hint: 'Name another file for --rejects, or finish that import first.',
      })
  }
}

/** No run can resume from a checkpoint that cannot be read. */
function checkpointAt(path: string): Checkpoint | undefined {
  try {
    return readCheckpoint(path, NO_COUNTS)
  } catch {
    return undefined
  }
}

/** With other files, neither the old nor the new ones would have every row. */
function refuseOtherFiles(from: Checkpoint, results: string | undefined, rejects: string | undefined): void {
  if (from.results === (results ?? null) && from.rejects === (rejects ?? null)) return
  const words = [
    ...(from.results === null ? [] : [`--results ${from.results}`]),
    ...(from.rejects === null ? [] : [`--rejects ${from.rejects}`]),
  ]
  throw new UsageError(
    `This import was started with ${words.length === 0 ? 'neither --results nor --rejects' : words.join(' ')}`,
    {
      code: 'results_changed',
      outcome: 'none',
      hint: 'Use the same files to resume, or start over with --restart.',
    },
  )
}
