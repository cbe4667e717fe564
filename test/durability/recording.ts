/**
 * Power cuts on a disk that nobody simulates for the program: the built program runs, and `recorder.cjs`, preloaded into
 * it, writes down every change it makes to its files, every sync, what it sends and what it says, in that order.
 * `CutDisk` replays this up to any point, and says what a power cut would leave there: with nothing of what was not
 * synced, with all of it, and with what chance picks (a part of a write, zeros in its place, names in any order). Each
 * of these is put into the folders of the program, the next command runs there, and the promises are checked: what was
 * sent is in the ledger, what was reported is on the disk.
 *
 * A failure says after which operation the power was cut. `DURABILITY_ROUNDS=20` has chance pick so many times as often,
 * `DURABILITY_SEED` otherwise. `node scripts/durability.mjs` shows that the checks would notice: it builds the program
 * with one deliberate fault after another, and runs these tests on it until one fails (planted-faults.mjs).
 */
import { spawn } from 'node:child_process'
import { mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Bench } from '../support/run-pay.ts'
import { splitWords } from '../support/run-pay.ts'
import { PAY } from '../support/spawn-pay.ts'
import { CutDisk } from './replayed-disk.ts'
import type { Tree } from './replayed-disk.ts'
import { markOf } from './power-cuts.ts'
import { parseOperations } from './operation.ts'
import type { Operation } from './operation.ts'

/** A run of the built program: what was there before, and what it did. */
export interface Recording {
  readonly root: string
  readonly before: Tree
  readonly operations: readonly Operation[]
  readonly exitCode: number | null
  readonly stdout: string
  readonly stderr: string
}

/** The program that is recorded: another one where deliberate faults are looked for (scripts/durability.mjs). */
export const PROGRAM = process.env['DURABILITY_PROGRAM'] ?? PAY

const RECORDER = fileURLToPath(new URL('recorder.cjs', import.meta.url))

export interface RunOptions {
  readonly env?: Readonly<Record<string, string>>
  readonly stdin?: string
}

export const environmentOf = (bench: Bench): Readonly<Record<string, string>> => ({
  PATH: process.env['PATH'] ?? '',
  HOME: bench.folder,
  LANG: 'C.UTF-8',
  PAY_CONFIG_DIR: bench.configFolder,
  PAY_STATE_DIR: bench.stateFolder,
})

/** Runs the program in the folders of the bench, in which nothing else may write meanwhile. */
export async function record(bench: Bench, words: string, options: RunOptions = {}): Promise<Recording> {
  const log = `${bench.folder}.log`
  const before = treeAt(bench.folder)
  try {
    const env = {
      ...environmentOf(bench),
      ...options.env,
      DURABILITY_ROOT: bench.folder,
      DURABILITY_LOG: log,
    }
    const args = ['--require', RECORDER, PROGRAM, ...splitWords(words)]
    const ended = await run(process.execPath, args, { cwd: bench.folder, env, stdin: options.stdin })
    const operations = parseOperations(readFileSync(log, 'utf8'))
    return checked({ root: bench.folder, before, operations, ...ended })
  } finally {
    rmSync(log, { force: true })
  }
}

export const sentIn = (operations: readonly Operation[]): readonly string[] =>
  operations.flatMap((operation) => (operation.op === 'send' ? [operation.text] : []))

/** As one recording: a run that is killed after an operation, and the next one on what it has left. */
export async function continued(
  bench: Bench,
  [killed, next]: readonly [string, string],
  options: RunOptions & {
    readonly killedAfter: (operation: Operation) => boolean
    /** Given what was sent by then: nobody has done the rest. */
    readonly onKill: (sent: readonly string[]) => void
  },
): Promise<Recording> {
  const first = await record(bench, killed, options)
  const last = first.operations.findIndex(options.killedAfter)
  if (last === -1) throw new Error('it was never killed')
  const operations = first.operations.slice(0, last + 1)
  const disk = new CutDisk(first.root, first.before)
  for (const operation of operations) disk.do(operation)
  restore(bench.folder, disk.left('everything'))
  options.onKill(sentIn(operations))
  const second = await record(bench, next, options)
  return { ...second, before: first.before, operations: [...operations, ...second.operations] }
}

/** Runs the program without a look at what it does. */
export async function runPlainly(
  bench: Bench,
  words: string,
  options: RunOptions & { readonly exitCode?: number } = {},
): Promise<void> {
  const env = { ...environmentOf(bench), ...options.env }
  const args = [PROGRAM, ...splitWords(words)]
  const ended = await run(process.execPath, args, { cwd: bench.folder, env, stdin: options.stdin })
  if (ended.exitCode !== (options.exitCode ?? 0)) throw new Error(ended.stderr)
}

/** What was recorded has to come to what is there: else something was changed behind the recorder's back. */
export function checked(recording: Recording, isIgnored: (path: string) => boolean = () => false): Recording {
  const disk = new CutDisk(recording.root, recording.before)
  for (const operation of recording.operations) disk.do(operation)
  const differing = differenceOf(disk.left('everything'), treeAt(recording.root)).filter(
    (path) => !isIgnored(path),
  )
  if (differing.length > 0) throw new Error(`not all was recorded: ${differing.join(', ')} differ`)
  return recording
}

function differenceOf(one: Tree, other: Tree): readonly string[] {
  const paths = new Set([...one.keys(), ...other.keys()])
  return [...paths].filter((path) => markOf(one.get(path)) !== markOf(other.get(path)))
}

/** Everything below a folder. */
export function treeAt(folder: string): Tree {
  const tree = new Map<string, Uint8Array | 'folder'>()
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name)
    tree.set(path, entry.isDirectory() ? 'folder' : readFileSync(path))
  }
  // A folder comes before what is in it.
  return new Map([...tree].toSorted(([one], [other]) => (one < other ? -1 : 1)))
}

/** Puts that in place of what is there. */
export function restore(root: string, tree: Tree): void {
  for (const name of readdirSync(root)) rmSync(join(root, name), { recursive: true, force: true })
  for (const [path, what] of tree) {
    if (what === 'folder') mkdirSync(path, { recursive: true, mode: 0o700 })
    else {
      mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
      writeFileSync(path, what, { mode: 0o600 })
    }
  }
}

interface Ended {
  readonly exitCode: number | null
  readonly stdout: string
  readonly stderr: string
}

function run(
  file: string,
  args: readonly string[],
  options: {
    readonly cwd: string
    readonly env: Readonly<Record<string, string>>
    readonly stdin?: string | undefined
  },
): Promise<Ended> {
  return new Promise((resolve, reject) => {
    const child = spawn(file, [...args], { cwd: options.cwd, env: { ...options.env }, stdio: 'pipe' })
    const kept = { stdout: '', stderr: '' }
    for (const name of ['stdout', 'stderr'] as const)
      child[name].setEncoding('utf8').on('data', (text: string) => {
        kept[name] += text
      })
    child.stdin.on('error', () => {}).end(options.stdin ?? '')
    child.on('error', reject)
    child.on('close', (exitCode) => resolve({ exitCode, ...kept }))
  })
}
