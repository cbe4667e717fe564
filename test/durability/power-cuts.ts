import { createHash } from 'node:crypto'
import { seededRandom } from '../sandbox/service.ts'
import { ReplayedDisk } from './replayed-disk.ts'
import type { Survival, Tree } from './replayed-disk.ts'
import type { Operation } from './operation.ts'
import type { Recording } from './recording.ts'

/** One power cut: when it happened, what it left on the disk, and what the program had made known by then. */
export interface Cut {
  /** After which operation, for the message of a failure. */
  readonly at: string
  /** How many operations came before it. */
  readonly done: number
  /** Whether nothing unsynced survived. */
  readonly isWorst: boolean
  readonly tree: Tree
  /** Everything the program had sent. */
  readonly sent: readonly string[]
  /** Whether at least a part of the response to the last request had arrived. */
  readonly isAnswered: boolean
  readonly stdout: string
  readonly stderr: string
  /** undefined if the program had not ended. */
  readonly exitCode: number | undefined
}

/** `DURABILITY_ROUNDS=20` makes 20 times as many power cuts with a random result. */
const ROUNDS = Number(process.env['DURABILITY_ROUNDS'] ?? 1)
/** For one scenario. On a busy machine a sync takes long. */
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
 * Every distinguishable power cut: after each operation, with nothing, everything and a random part of the unsynced changes
 * surviving. Cuts that leave the same, after the program made the same known, are listed once.
 */
export function cutsOf({ root, before, operations }: Recording): readonly Cut[] {
  const disk = new ReplayedDisk(root, before)
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
    const at = `${after}; of the unsynced changes ${what} survives`
    cuts.push({ at, done, isWorst: survival === 'nothing', tree, ...facts, sent: [...sent] })
  }
  const takeAll = (after: string): void => {
    take(after, 'nothing')
    take(after, 'everything')
    for (let round = 0; round < ROUNDS; round += 1) take(after, random)
  }
  takeAll('before the first operation')
  for (const operation of operations) {
    disk.do(operation)
    done += 1
    if (operation.op === 'send') sent.push(operation.text)
    facts = factsAfter(facts, operation)
    takeAll(`after operation ${done} (${argumentsFor(operation, root)})`)
  }
  return cuts
}

/**
 * A selection of many power cuts: of those that leave only synced changes, the last with each result, because most was made
 * known by then; and a random sample of the others.
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

/** The same recording without the syncs of certain paths. The checks must then fail. */
export function withoutSyncs(recording: Recording, isDropped: (path: string) => boolean): Recording {
  const paths = new Map<number, string>()
  const operations = recording.operations.filter((operation) => {
    if (operation.op === 'open') paths.set(operation.fd, operation.path)
    return operation.op !== 'sync' || !isDropped(paths.get(operation.fd) ?? '')
  })
  if (operations.length === recording.operations.length)
    throw new Error('nothing to drop: the path was never synced')
  return { ...recording, operations }
}

/** What the program has made known. */
type Facts = Pick<Cut, 'isAnswered' | 'stdout' | 'stderr' | 'exitCode'>

function factsAfter(facts: Facts, operation: Operation): Facts {
  if (operation.op === 'send') return { ...facts, isAnswered: false }
  if (operation.op === 'receive') return { ...facts, isAnswered: true }
  if (operation.op === 'exit') return { ...facts, exitCode: operation.code }
  if (operation.op !== 'say') return facts
  const name = operation.fd === 1 ? 'stdout' : 'stderr'
  return { ...facts, [name]: facts[name] + operation.text }
}

function argumentsFor(operation: Operation, root: string): string {
  const { op, ...rest } = operation
  const shown = Object.entries(rest).map(([name, value]) =>
    `${name} ${String(value).replaceAll(`${root}/`, '')}`.slice(0, 90),
  )
  return [op, ...shown].join(', ')
}
