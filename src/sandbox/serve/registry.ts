import { accessSync, constants, existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { lazySchema, z } from '../../api/schema.ts'
import type { Shape } from '../../api/schema.ts'
import { messageOf, UsageError } from '../../errors.ts'
import { makePrivateFolder } from '../../files/private-folder.ts'
import { removeFile, replaceFile } from '../../files/replace-file.ts'

/** The servers that run on this machine, one small file each, so that other runs of the program find them. */

const registeredServer = lazySchema(() =>
  z.object({
    /** The ID, created at startup. Only a server that answers with it is the registered one. */
    id: z.string(),
    pid: z.number(),
    /** The machine that `pid` belongs to: containers may share these files. */
    machine: z.string(),
    /** The URL at which this machine reaches the server. */
    url: z.string(),
    host: z.string(),
    port: z.number(),
    dataDir: z.string(),
    /** Whether the folder is removed when the server ends. */
    ephemeral: z.boolean(),
    idempotency: z.string(),
    startedAt: z.string(),
    version: z.string(),
    /** The key for the controls, unless that is the published one. Secret: only the owner can read the file. */
    controlKey: z.optional(z.string()),
  }),
)

export type RegisteredServer = Readonly<Shape<typeof registeredServer>>

/** The facts that a server prints when it is ready. */
export interface ReadyServer extends RegisteredServer {
  readonly dashboardUrl: string
  readonly checkoutUrl: string
  readonly apiKeys: readonly string[]
}

/** A server without its secret key, to show. */
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
    const why = messageOf(cause)
    throw new UsageError(`Cannot write the list of sandbox servers in ${folder}: ${why}`, {
      code: 'sandbox_not_writable',
      outcome: 'none',
      hint: 'Make the folder writable, or set PAY_STATE_DIR to another one.',
      cause,
    })
  }
  return folder
}

export const registerServer = (folder: string, server: RegisteredServer): void =>
  replaceFile(entryPath(folder, server.id), `${JSON.stringify(server)}\n`)

export const isRegistered = (folder: string, id: string): boolean => existsSync(entryPath(folder, id))

/** Removes the entry of a server, and its log, which isn't needed after an orderly end. */
export function unregisterServer(folder: string, id: string): void {
  removeFile(logPath(folder, id))
  removeFile(entryPath(folder, id))
  // The command that started the server may have moved its log here in the meantime.
  removeFile(logPath(folder, id))
}

/** Removes the entry of a server that ended unexpectedly. Keeps its log unless it is empty, and returns the path. */
export function unregisterLostServer(folder: string, id: string): string | undefined {
  const log = logPath(folder, id)
  const size = statSync(log, { throwIfNoEntry: false })?.size ?? 0
  if (size === 0) removeFile(log)
  removeFile(entryPath(folder, id))
  return size === 0 ? undefined : log
}

/** The servers, oldest first. Callers have to check whether they still run. */
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

/** Reads an entry; undefined for files that aren't entries. */
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
  isServer(value) &&
  'apiKeys' in value &&
  Array.isArray(value.apiKeys) &&
  ['dashboardUrl', 'checkoutUrl'].every((name) => Object.hasOwn(value, name))
