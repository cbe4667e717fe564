import {
  accessSync,
  constants,
  existsSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { UsageError } from '../../errors.ts'
import { makePrivateFolder } from '../../private-folder.ts'
import { isRecord } from '../../is-record.ts'

/** The servers that run on this machine, so that other runs of the program find them: a small file each. */

export interface RegisteredServer {
  /** Made at start, told by the server itself: who answers with it is the one. */
  readonly id: string
  readonly pid: number
  /** The one that its `pid` is of: containers may share these files. */
  readonly machine: string
  /** Where this machine reaches it. */
  readonly url: string
  readonly host: string
  readonly port: number
  readonly dataDir: string
  /** The folder goes with the server. */
  readonly ephemeral: boolean
  readonly idempotency: string
  readonly startedAt: string
  readonly version: string
  /** What its controls take, where that is not the published key. Secret: the file is its owner's alone. */
  readonly controlKey?: string | undefined
}

/** A server as it is shown. */
export function withoutKey(server: RegisteredServer): RegisteredServer {
  const { controlKey: _, ...shown } = server
  return shown
}

export const serversFolder = (stateFolder: string): string => join(stateFolder, 'sandbox-servers')

export function makeServersFolder(stateFolder: string): string {
  const folder = serversFolder(stateFolder)
  try {
    makePrivateFolder(folder)
    accessSync(folder, constants.W_OK)
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause)
    throw new UsageError(`The list of sandbox servers cannot be kept in ${folder}: ${why}`, {
      code: 'sandbox_not_writable',
      outcome: 'none',
      hint: 'Make the folder writable, or set PAY_STATE_DIR to another one.',
      cause,
    })
  }
  return folder
}

/** Made whole under another name: nobody ever reads half of it. */
export function registerServer(folder: string, server: RegisteredServer): void {
  const path = entryPath(folder, server.id)
  writeFileSync(`${path}.new`, `${JSON.stringify(server)}\n`, { mode: 0o600 })
  renameSync(`${path}.new`, path)
}

export const isRegistered = (folder: string, id: string): boolean => existsSync(entryPath(folder, id))

/** Its log goes too: of a server that ended in order there is nothing more to be learnt. */
export function forgetServer(folder: string, id: string): void {
  rmSync(logPath(folder, id), { force: true })
  rmSync(entryPath(folder, id), { force: true })
  // Whoever started it may have given it its log between the two.
  rmSync(logPath(folder, id), { force: true })
}

/** The same for one that ended by itself; its log is kept where it says anything. Returns where. */
export function forgetLostServer(folder: string, id: string): string | undefined {
  const log = logPath(folder, id)
  const size = statSync(log, { throwIfNoEntry: false })?.size ?? 0
  if (size === 0) rmSync(log, { force: true })
  rmSync(entryPath(folder, id), { force: true })
  return size === 0 ? undefined : log
}

/** The oldest first. Whether they still run is for the caller to ask them. */
export function registeredServers(folder: string): readonly RegisteredServer[] {
  if (!existsSync(folder)) return []
  return readdirSync(folder)
    .flatMap((name) => {
      const id = /^([\w-]+)\.json$/.exec(name)?.[1]
      const server = id === undefined ? undefined : readEntry(entryPath(folder, id))
      return server === undefined || server.id !== id ? [] : [server]
    })
    .toSorted((one, other) => one.startedAt.localeCompare(other.startedAt) || one.port - other.port)
}

export const logPath = (folder: string, id: string): string => join(folder, `${id}.log`)

const entryPath = (folder: string, id: string): string => join(folder, `${id}.json`)

/** What is no entry of ours is left alone. */
function readEntry(path: string): RegisteredServer | undefined {
  try {
    const entry: unknown = JSON.parse(readFileSync(path, 'utf8'))
    return isServer(entry) ? entry : undefined
  } catch {
    return undefined
  }
}

const FIELDS = {
  id: 'string',
  pid: 'number',
  machine: 'string',
  url: 'string',
  host: 'string',
  port: 'number',
  dataDir: 'string',
  ephemeral: 'boolean',
  idempotency: 'string',
  startedAt: 'string',
  version: 'string',
} as const satisfies Record<Exclude<keyof RegisteredServer, 'controlKey'>, string>

export const isServer = (value: unknown): value is RegisteredServer =>
  isRecord(value) &&
  Object.entries(FIELDS).every(([field, type]) => typeof value[field] === type) &&
  ['undefined', 'string'].includes(typeof value['controlKey'])
