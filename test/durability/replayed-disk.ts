import { dirname, basename } from 'node:path'
import type { Operation } from './operation.ts'

/** Everything below a folder, by path: the bytes of a file, or 'folder'. */
export type Tree = ReadonlyMap<string, Uint8Array | 'folder'>

/** What of the unsynced changes survives a power cut: nothing, everything, or a random part. */
export type Survival = 'nothing' | 'everything' | (() => number)

type Change =
  | { readonly kind: 'write'; readonly at: number; readonly bytes: Uint8Array }
  | { readonly kind: 'truncate'; readonly length: number }

interface File {
  readonly kind: 'file'
  synced: Uint8Array
  /** The changes since the last sync. */
  readonly changes: Change[]
}

/** Names that one operation changes at the same time: a rename changes two. */
type NameChange = ReadonlyMap<string, Node | undefined>

interface Folder {
  readonly kind: 'folder'
  readonly synced: Map<string, Node>
  readonly changes: NameChange[]
}

type Node = File | Folder

interface Handle {
  readonly node: Node
  readonly appends: boolean
  position: number
  /** What a sync that has begun covers; undefined for everything. */
  syncing?: ReadonlySet<unknown> | undefined
}

/**
 * Replays recorded operations on a disk that guarantees no more than POSIX: a file's contents are durable once the file is
 * synced, its name once the folder is synced. A power cut keeps or loses every unsynced change independently, because a
 * disk writes in any order. A rename is atomic.
 */
export class ReplayedDisk {
  readonly #root: Folder = newFolder()
  readonly #rootPath: string
  readonly #handles = new Map<number, Handle>()

  /** `before` is durable. */
  constructor(rootPath: string, before: Tree) {
    this.#rootPath = rootPath
    for (const [path, what] of before) {
      const node: Node =
        what === 'folder' ? newFolder() : { kind: 'file', synced: Uint8Array.from(what), changes: [] }
      this.#parentOf(path).synced.set(basename(path), node)
    }
  }

  do(operation: Operation): void {
    switch (operation.op) {
      case 'open':
        return this.#open(operation)
      case 'close':
        this.#handles.delete(operation.fd)
        return
      case 'write':
        return this.#write(operation.fd, operation.at, Buffer.from(operation.data, 'base64'))
      case 'truncate':
        this.#fileOf(operation.fd).changes.push({ kind: 'truncate', length: operation.length })
        return
      case 'sync-begins': {
        const handle = this.#handleOf(operation.fd)
        handle.syncing = new Set<unknown>(handle.node.changes)
        return
      }
      case 'sync':
        return sync(this.#handleOf(operation.fd))
      case 'mkdir':
        return this.#name(operation.path, newFolder())
      case 'link':
        return this.#name(operation.to, this.#nodeAt(operation.from))
      case 'rename':
        return this.#rename(operation.from, operation.to)
      case 'unlink':
        return this.#name(operation.path, undefined)
      case 'unmodelled':
        throw new Error(`the recorder does not know fs.${operation.name} (${operation.path})`)
      case 'send':
      case 'receive':
      case 'say':
      case 'exit':
    }
  }

  /** What a power cut leaves. With `everything` it is what a kill leaves, or what processes see. */
  left(survival: Survival): Tree {
    const tree = new Map<string, Uint8Array | 'folder'>()
    const contents = new Map<File, Uint8Array>()
    const walk = (folder: Folder, path: string): void => {
      for (const [name, node] of namesLeft(folder, survival)) {
        const at = `${path}/${name}`
        if (node.kind === 'folder') {
          tree.set(at, 'folder')
          walk(node, at)
          continue
        }
        // A file with two names is one file.
        const bytes = contents.get(node) ?? bytesLeft(node, survival)
        contents.set(node, bytes)
        tree.set(at, bytes)
      }
    }
    walk(this.#root, this.#rootPath)
    return tree
  }

  #open({ fd, path, creates, truncates, appends }: Extract<Operation, { op: 'open' }>): void {
    let node = this.#find(path)
    if (node === undefined) {
      if (!creates) throw new Error(`opened but never created: ${path}`)
      node = { kind: 'file', synced: new Uint8Array(), changes: [] }
      this.#name(path, node)
    } else if (truncates && node.kind === 'file') node.changes.push({ kind: 'truncate', length: 0 })
    this.#handles.set(fd, { node, appends, position: 0 })
  }

  #write(fd: number, at: number | null, bytes: Uint8Array): void {
    const handle = this.#handleOf(fd)
    const file = this.#fileOf(fd)
    const from = handle.appends ? bytesLeft(file, 'everything').length : (at ?? handle.position)
    file.changes.push({ kind: 'write', at: from, bytes })
    if (at === null) handle.position = from + bytes.length
  }

  #rename(from: string, to: string): void {
    if (dirname(from) !== dirname(to)) throw new Error(`renamed into another folder: ${from} ${to}`)
    const names = new Map([
      [basename(from), undefined],
      [basename(to), this.#nodeAt(from)],
    ])
    this.#parentOf(from).changes.push(names)
  }

  #name(path: string, node: Node | undefined): void {
    this.#parentOf(path).changes.push(new Map([[basename(path), node]]))
  }

  #find(path: string): Node | undefined {
    if (path === this.#rootPath) return this.#root
    if (!path.startsWith(`${this.#rootPath}/`)) throw new Error(`not below ${this.#rootPath}: ${path}`)
    const parent = this.#find(dirname(path))
    return parent?.kind === 'folder' ? namesLeft(parent, 'everything').get(basename(path)) : undefined
  }

  #nodeAt(path: string): Node {
    const node = this.#find(path)
    if (node === undefined) throw new Error(`never created: ${path}`)
    return node
  }

  #parentOf(path: string): Folder {
    const parent = this.#nodeAt(dirname(path))
    if (parent.kind !== 'folder') throw new Error(`not a folder: ${dirname(path)}`)
    return parent
  }

  #handleOf(fd: number): Handle {
    const handle = this.#handles.get(fd)
    if (handle === undefined) throw new Error(`never opened: ${fd}`)
    return handle
  }

  #fileOf(fd: number): File {
    const { node } = this.#handleOf(fd)
    if (node.kind !== 'file') throw new Error(`not a file: ${fd}`)
    return node
  }
}

const newFolder = (): Folder => ({ kind: 'folder', synced: new Map(), changes: [] })

function sync(handle: Handle): void {
  const { node, syncing } = handle
  // What came before it, another sync may have taken already.
  const later = node.changes.findIndex((change) => syncing?.has(change) === false)
  const count = later === -1 ? node.changes.length : later
  if (node.kind === 'folder') for (const change of node.changes.splice(0, count)) apply(node.synced, change)
  else node.synced = node.changes.splice(0, count).reduce(changed, node.synced)
  handle.syncing = undefined
}

function apply(names: Map<string, Node>, change: NameChange): void {
  for (const [name, node] of change) {
    if (node === undefined) names.delete(name)
    else names.set(name, node)
  }
}

function namesLeft(folder: Folder, survival: Survival): ReadonlyMap<string, Node> {
  if (survival === 'nothing') return folder.synced
  const names = new Map(folder.synced)
  for (const change of folder.changes) if (survival === 'everything' || survival() < 0.5) apply(names, change)
  return names
}

function bytesLeft(file: File, survival: Survival): Uint8Array {
  if (survival === 'nothing') return file.synced
  let bytes = file.synced
  for (const change of file.changes) {
    const part = survival === 'everything' ? change : partOf(change, survival)
    if (part !== undefined) bytes = changed(bytes, part)
  }
  return bytes
}

/** A random part of a change: all, nothing, its beginning, or zeros if only the new length reached the disk. */
function partOf(change: Change, random: () => number): Change | undefined {
  const chance = random()
  if (chance < 0.3) return undefined
  if (chance < 0.6 || change.kind === 'truncate') return change
  const { bytes } = change
  if (chance < 0.8) return { ...change, bytes: bytes.subarray(0, Math.floor(random() * bytes.length)) }
  return { ...change, bytes: new Uint8Array(bytes.length) }
}

function changed(bytes: Uint8Array, change: Change): Uint8Array {
  if (change.kind === 'truncate') {
    const cut = new Uint8Array(change.length)
    cut.set(bytes.subarray(0, change.length))
    return cut
  }
  const grown = new Uint8Array(Math.max(bytes.length, change.at + change.bytes.length))
  grown.set(bytes)
  grown.set(change.bytes, change.at)
  return grown
}
