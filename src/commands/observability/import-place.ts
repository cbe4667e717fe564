import { createHash } from 'node:crypto'
import { existsSync, readdirSync, statSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { readCheckpoint, removeCheckpoint } from '../../bulk/keep/checkpoint.ts'
import type { Checkpoint } from '../../bulk/keep/checkpoint.ts'
import { SAMPLE_BYTES } from '../../bulk/read/input.ts'
import { lockRun } from '../../bulk/keep/run-lock.ts'
import type { Holder } from '../../bulk/keep/run-lock.ts'
import type { Invocation } from '../../cli/command/invocation.ts'
import type { Account } from '../../config/resolve-account.ts'
import { UsageError } from '../../errors.ts'
import { isAtWork } from '../../ledger/files/owner.ts'
import { parseOwner } from '../../ledger/files/record-text.ts'
import { checkPrivateFolder, makePrivateFolder, syncPath } from '../../private-folder.ts'
import type { ImportSettings } from './import-settings.ts'
import type { ImportSource } from './import-source.ts'

/** Where a run keeps what it knows, for itself alone until it is given back. */
export interface ImportPlace {
  readonly run: string
  readonly checkpointPath: string
  readonly journalPath: string
  readonly results: string | undefined
  readonly rejects: string | undefined
  /** Where an earlier run has stopped. */
  readonly from: Checkpoint | undefined
  readonly forget: () => void
  readonly giveBack: () => void
}

export async function takePlace(
  invocation: Invocation,
  settings: ImportSettings,
  source: ImportSource,
): Promise<ImportPlace> {
  const { context } = invocation
  const [results, rejects] = [settings.results, settings.rejects].map((path) =>
    path === undefined ? undefined : resolve(context.cwd, path),
  )
  refuseOneFileTwice(settings, context.cwd)
  const run = nameOf(await invocation.account(), settings, source)
  const folder = join(context.stateFolder, 'imports')
  for (const path of [context.stateFolder, folder]) checkPrivateFolder(path, context.uid)
  makePrivateFolder(folder)
  const [checkpointPath, journalPath] = [join(folder, `${run}.json`), join(folder, `${run}.journal`)]
  const forget = () => {
    for (const path of [checkpointPath, journalPath])
      for (const one of [path, `${path}.next`]) removeCheckpoint(one)
    // Were it back after a power cut, this checkpoint would count on results that a later run has written over.
    syncPath(folder)
  }
  const locks: (() => void)[] = []
  const giveBack = () => {
    for (const release of locks.splice(0)) release()
  }
  const holderBy = await holdersOf(invocation)
  try {
    locks.push(lockRun(folder, run, holderBy([checkpointPath, journalPath])))
    for (const path of [results, rejects]) {
      if (path === undefined) continue
      const message = `Another import is writing ${path}`
      locks.push(lockRun(folder, `file-${hashed([path])}`, holderBy([path]), message))
    }
    if (settings.restart) forget()
    const from = readCheckpoint(checkpointPath)
    if (from !== undefined) refuseOtherFiles(from, results, rejects)
    return { run, checkpointPath, journalPath, results, rejects, from, forget, giveBack }
  } catch (error) {
    giveBack()
    throw error
  }
}

/** What is imported where and how: another file, mapping or target is another run. */
function nameOf(account: Account, settings: ImportSettings, { input, reading }: ImportSource): string {
  const { profile, apiKey, baseUrl } = account
  // A profile stays the same account when its key is changed, as after one that has expired.
  const isOfProfile = profile !== undefined && apiKey?.source === `profile ${profile.value}`
  const key = isOfProfile ? ['profile', profile.value] : ['key', apiKey?.value]
  const how = [input.size, reading, settings.onExists, settings.shard, baseUrl.value, ...key]
  return hashed(how, input.head.subarray(0, SAMPLE_BYTES))
}

const hashed = (value: readonly unknown[], bytes: Uint8Array = new Uint8Array()): string =>
  createHash('sha256').update(JSON.stringify(value)).update(bytes).digest('hex').slice(0, 32)

/** `signs`: what it writes all the time, by which a process of another machine shows that it is at work. */
async function holdersOf({ context }: Invocation): Promise<(signs: readonly string[]) => Holder> {
  const processes = await context.program.processes()
  return (signs) => ({
    words: JSON.stringify(processes.own()),
    id: context.newId(),
    isAtWork: (words, sinceMs) => {
      const owner = parseOwner(words)
      const lastSignMs = Math.max(sinceMs, ...signs.map((path) => changedMs(path)))
      return owner !== undefined && isAtWork(owner, lastSignMs, context.now().getTime(), processes)
    },
  })
}

const changedMs = (path: string): number => statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0

/** Writing results over the file that they are of would destroy it. */
export function refuseOneFileTwice({ path, results, rejects }: ImportSettings, cwd: string): void {
  const named = [
    ['FILE', path === '-' ? undefined : path],
    ['--results', results],
    ['--rejects', rejects],
  ] as const
  const seen = new Map<string, string>()
  for (const [what, name] of named) {
    if (name === undefined) continue
    const file = identityOf(resolve(cwd, name))
    const before = seen.get(file)
    if (before !== undefined)
      throw new UsageError(`${before} and ${what} are the same file: ${name}`, {
        code: 'two_sources',
        outcome: 'none',
        hint: 'Name a different file for each.',
      })
    seen.set(file, what)
  }
}

/** A file may have several names. */
function identityOf(path: string): string {
  const stats = statSync(path, { throwIfNoEntry: false })
  return stats?.isFile() === true ? `${stats.dev}:${stats.ino}` : path
}

/** An import that was interrupted goes on in its files, and counts on what it wrote there. */
export function refuseFileOfRun({ context }: Invocation, path: string): void {
  const folder = join(context.stateFolder, 'imports')
  if (!existsSync(folder)) return
  for (const name of readdirSync(folder).filter((one) => one.endsWith('.json'))) {
    const from = checkpointAt(join(folder, name))
    if (from?.results === path || from?.rejects === path)
      throw new UsageError(`An import that was interrupted goes on in ${path}`, {
        code: 'results_changed',
        outcome: 'none',
        hint: 'Name another file for --rejects, or finish that import first.',
      })
  }
}

/** Nothing goes on from one that cannot be read. */
function checkpointAt(path: string): Checkpoint | undefined {
  try {
    return readCheckpoint(path)
  } catch {
    return undefined
  }
}

/** Half of the rows told of here and half there would be no account of anything. */
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
      hint: 'Use the same ones to resume, or start over with --restart.',
    },
  )
}
