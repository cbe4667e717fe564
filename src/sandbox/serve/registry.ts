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
import { lazySchema, z } from '../../api/schema.ts'
import type { Shape } from '../../api/schema.ts'
import { UsageError } from '../../errors.ts'
import { makePrivateFolder } from '../../private-folder.ts'

/** The servers that run on this machine, so that other runs of the program find them: a small file each. */

const registeredServer = lazySchema(() =>
  z.object({
    /** Made at start. A server that answers with this ID is the registered one. */
    id: z.string(),
    pid: z.number(),
    /** The one that its `pid` is of: containers may share these files. */
    machine: z.string(),
    /** Where this machine reaches it. */
    url: z.string(),
    host: z.string(),
    port: z.number(),
    dataDir: z.string(),
    /** The folder goes with the server. */
    ephemeral: z.boolean(),
    idempotency: z.string(),
    startedAt: z.string(),
    version: z.string(),
    /** What its controls take, where that is not the published key. Secret: the file is its owner's alone. */
    controlKey: z.optional(z.string()),
  }),
)

export type RegisteredServer = Readonly<Shape<typeof registeredServer>>

/** What a server says of itself when it is ready. */
export interface ReadyServer extends RegisteredServer {
  readonly apiKeys: readonly string[]
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

/** Written under another name and renamed, so that no reader sees half a file. */
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

/** Other files are left alone. */
function readEntry(path: string): RegisteredServer | undefined {
  try {
    const entry: unknown = JSON.parse(readFileSync(path, 'utf8'))
    return isServer(entry) ? entry : undefined
  } catch {
    return undefined
  }
}

const isServer = (value: unknown): value is RegisteredServer => registeredServer().safeParse(value).success

export const isReadyServer = (value: unknown): value is ReadyServer =>
  isServer(value) && 'apiKeys' in value && Array.isArray(value.apiKeys)
