import { createHash } from 'node:crypto'
import { seededRandom } from '../sandbox/service.ts'
import { CutDisk } from './replayed-disk.ts'
import type { Survival, Tree } from './replayed-disk.ts'
import type { Operation } from './operation.ts'
import type { Recording } from './recording.ts'

/** Where the power was cut, what it left on the disk, and what others had learned by then. */
export interface Cut {
  /** As words, for whoever reads a failure. */
  readonly at: string
  /** So many operations were done. */
  readonly done: number
  /** Whether nothing survived that was not synced. */
  readonly isWorst: boolean
  readonly tree: Tree
  /** What was sent. */
  readonly sent: readonly string[]
  /** Whether the last of it was answered, or the answer had begun. */
  readonly isAnswered: boolean
  readonly stdout: string
  readonly stderr: string
  /** undefined when it had not ended. */
  readonly exitCode: number | undefined
}

/** `DURABILITY_ROUNDS=20` cuts the power so many times as often where chance says what is left. */
const ROUNDS = Number(process.env['DURABILITY_ROUNDS'] ?? 1)
/** For one scenario; on a busy machine a sync takes its time. */
export const TIMEOUT_MS = 60_000 + ROUNDS * 60_000
const SEED = Number(process.env['DURABILITY_SEED'] ?? 1)
export const markOf = (what: Uint8Array | 'folder' | undefined): string =>
  what === undefined || what === 'folder' ? String(what) : createHash('sha256').update(what).digest('hex')

const markOfTree = (tree: Tree): string =>
  [...tree]
    .map(([path, what]) => JSON.stringify([path, markOf(what)]))
    .toSorted()
    .join('\n')

/**
 * Every power cut that leaves something else, or comes after others have learned more: after each operation, with nothing
 * of what was not synced, all of it, and some of it by chance.
 */
export function cutsOf({ root, before, operations }: Recording): readonly Cut[] {
  const disk = new CutDisk(root, before)
  const sent: string[] = []
  let facts: Facts = { isAnswered: true, stdout: '', stderr: '', exitCode: undefined }
  const cuts: Cut[] = []
  const seen = new Set<string>()
  const random = seededRandom(SEED)
  let done = 0
  const take = (after: string, survival: Survival): void => {
    const tree = disk.left(survival)
    const mark = JSON.stringify([sent.length, facts, markOfTree(tree)])
    if (seen.has(mark)) return
    seen.add(mark)
    const what = typeof survival === 'string' ? survival : 'some'
    const at = `${after}; ${what} of what was not synced survives`
    cuts.push({ at, done, isWorst: survival === 'nothing', tree, ...facts, sent: [...sent] })
  }
  const takeAll = (after: string): void => {
    take(after, 'nothing')
    take(after, 'everything')
    for (let round = 0; round < ROUNDS; round += 1) take(after, random)
  }
  takeAll('before anything was done')
  for (const operation of operations) {
    disk.do(operation)
    done += 1
    if (operation.op === 'send') sent.push(operation.text)
    facts = learned(facts, operation)
    takeAll(`after operation ${done} (${wordsOf(operation, root)})`)
  }
  return cuts
}

/**
 * Fewer, where there are many: of those that leave the same and only what was synced, the last, by which others have
 * learned most; and so many of the others, by chance.
 */
export function fewerOf(cuts: readonly Cut[], others: number): readonly Cut[] {
  const worst = cuts.filter(({ isWorst }) => isWorst)
  const marks = worst.map(({ tree }) => markOfTree(tree))
  const last = worst.filter((_, index) => marks[index] !== marks[index + 1])
  const random = seededRandom(SEED)
  const rest = cuts
    .filter(({ isWorst }) => !isWorst)
    .map((cut) => ({ cut, order: random() }))
    .toSorted((one, other) => one.order - other.order)
    .slice(0, others * ROUNDS)
  return [...last, ...rest.map(({ cut }) => cut)]
}

/** The same, had those files and folders never been synced: what the checks have to notice. */
export function withoutSyncs(recording: Recording, isDropped: (path: string) => boolean): Recording {
  const paths = new Map<number, string>()
  const operations = recording.operations.filter((operation) => {
    if (operation.op === 'open') paths.set(operation.fd, operation.path)
    return operation.op !== 'sync' || !isDropped(paths.get(operation.fd) ?? '')
  })
  if (operations.length === recording.operations.length) throw new Error('it was never synced')
  return { ...recording, operations }
}

type Facts = Pick<Cut, 'isAnswered' | 'stdout' | 'stderr' | 'exitCode'>

function learned(facts: Facts, operation: Operation): Facts {
  if (operation.op === 'send') return { ...facts, isAnswered: false }
  if (operation.op === 'receive') return { ...facts, isAnswered: true }
  if (operation.op === 'exit') return { ...facts, exitCode: operation.code }
  if (operation.op !== 'say') return facts
  const name = operation.fd === 1 ? 'stdout' : 'stderr'
  return { ...facts, [name]: facts[name] + operation.text }
}

function wordsOf(operation: Operation, root: string): string {
  const { op, ...rest } = operation
  const shown = Object.entries(rest).map(([name, value]) =>
    `${name} ${String(value).replaceAll(`${root}/`, '')}`.slice(0, 90),
  )
  return [op, ...shown].join(', ')
}
