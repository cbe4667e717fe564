/**
 * Power cuts under the built program.
 *
 * The program runs under strace, which records in order every change to its files, every sync, and everything it sends, receives
 * and prints. `ReplayedDisk` replays that up to any operation and yields what a power cut
 * there would leave: nothing unsynced, everything, or a random part. Each result is put into the program's folders, the
 * next command runs there, and the test checks that what was sent is in the ledger and what was reported is on the disk.
 *
 * A failure names the operation after which the power was cut. `DURABILITY_ROUNDS=20` makes 20 times as many random cuts,
 * `DURABILITY_SEED` other ones. `npm run durability` plants one bug after another, such as a missing sync, and shows that
 * the tests find each (planted-faults.mjs).
 */
import { spawn } from 'node:child_process'
import { mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Bench } from '../support/run-pay.ts'
import { splitWords } from '../support/run-pay.ts'
import { PAY } from '../support/spawn-pay.ts'
import { ReplayedDisk } from './replayed-disk.ts'
import type { Tree } from './replayed-disk.ts'
import { markOf } from './power-cuts.ts'
import { startTraced } from './strace.ts'
import type { Operation } from './operation.ts'

/** A recorded run of the built program: the files before it, and what it did. */
export interface Recording {
  readonly root: string
  readonly before: Tree
  readonly operations: readonly Operation[]
  readonly exitCode: number | null
  readonly stdout: string
  readonly stderr: string
}

/** The program that is recorded. scripts/durability.mjs names one with a planted fault. */
export const PROGRAM = process.env['DURABILITY_PROGRAM'] ?? PAY

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

/** Runs and records the program in the bench's folders. Nothing else may write there during that time. */
export async function record(bench: Bench, words: string, options: RunOptions = {}): Promise<Recording> {
  const before = treeAt(bench.folder)
  const env = { ...environmentOf(bench), ...options.env }
  const { stdin } = options
  const ended = await startTraced([PROGRAM, ...splitWords(words)], { root: bench.folder, env, stdin }).ended
  return checked({ root: bench.folder, before, ...ended })
}

export const sentIn = (operations: readonly Operation[]): readonly string[] =>
  operations.flatMap((operation) => (operation.op === 'send' ? [operation.text] : []))

/** One recording of two runs: the first is killed after an operation, the second continues on what it left. */
export async function continued(
  bench: Bench,
  [killed, next]: readonly [string, string],
  options: RunOptions & {
    readonly killedAfter: (operation: Operation) => boolean
    /** Called with what was sent by then, so that the service can forget the rest. */
    readonly onKill: (sent: readonly string[]) => void
  },
): Promise<Recording> {
  const first = await record(bench, killed, options)
  const last = first.operations.findIndex(options.killedAfter)
  if (last === -1) throw new Error('no operation to kill it after')
  const operations = first.operations.slice(0, last + 1)
  const disk = new ReplayedDisk(first.root, first.before)
  for (const operation of operations) disk.do(operation)
  restore(bench.folder, disk.left('everything'))
  options.onKill(sentIn(operations))
  const second = await record(bench, next, options)
  return { ...second, before: first.before, operations: [...operations, ...second.operations] }
}

/** Runs the program without recording it. */
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

/** Fails if replaying the recording does not yield the files that are there: the recorder missed a change. */
export function checked(recording: Recording, isIgnored: (path: string) => boolean = () => false): Recording {
  const disk = new ReplayedDisk(recording.root, recording.before)
  for (const operation of recording.operations) disk.do(operation)
  const differing = differenceOf(disk.left('everything'), treeAt(recording.root)).filter(
    (path) => !isIgnored(path),
  )
  if (differing.length > 0) throw new Error(`the recorder missed changes of ${differing.join(', ')}`)
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
  // Folders come before their files.
  return new Map([...tree].toSorted(([one], [other]) => (one < other ? -1 : 1)))
}

/** Replaces everything below a folder. */
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
