import { rmSync } from 'node:fs'
import type { Invocation } from '../../cli/command/invocation.ts'
import type { Running } from '../../cli/command/result.ts'
import { PayError } from '../../errors.ts'
import { checkPrivateFolder } from '../../private-folder.ts'
import { openSandbox } from '../../sandbox/sandbox.ts'
import type { Sandbox } from '../../sandbox/sandbox.ts'
import { SANDBOX_KEYS } from '../../sandbox/domain/accounts.ts'
import { forgetServer, makeServersFolder, registerServer } from '../../sandbox/serve/registry.ts'
import type { ReadyServer, RegisteredServer } from '../../sandbox/serve/registry.ts'
import { makeServerKeys } from '../../sandbox/serve/server-keys.ts'
import { startServer } from '../../sandbox/serve/server.ts'
import { makeEphemeralFolder } from './ephemeral-folder.ts'
import { isLocal } from './serve-options.ts'
import type { ServeOptions } from './serve-options.ts'

/** Serves the sandbox in this process, until a signal or `pay sandbox stop` ends it. */
export async function serveHere(
  invocation: Invocation,
  options: ServeOptions,
): Promise<{ readonly ready: ReadyServer; readonly running: Running }> {
  const { context, warn } = invocation
  const data = await openData(invocation, options)
  const end = endOf(context.interruption.stop)
  const { host, idempotency } = options
  const about = { dataDir: data.folder, ephemeral: data.isEphemeral, idempotency, version: context.version }
  // The published keys are no secret: beyond loopback the server has its own.
  const keys = isLocal(host) ? undefined : makeServerKeys(() => context.newId().replaceAll('-', ''))
  const server = await startServer({
    ...options,
    keys,
    sandbox: data.sandbox,
    now: context.now,
    newId: context.newId,
    pid: context.program.pid,
    about,
    onStop: end.come,
    onFailure: onceEach((words) => void warn(`Warning: a request could not be served: ${words}`)),
  }).catch(async (error: unknown) => {
    await data.leave()
    throw error
  })
  const { id, pid, url, port, startedAt } = server
  const entry = { id, pid, machine: context.program.machine, url, host, port, ...about, startedAt }
  const apiKeys = keys === undefined ? SANDBOX_KEYS.map(({ key }) => key) : [...keys.keys()]
  const list = await putOnList(invocation, keys === undefined ? entry : { ...entry, controlKey: apiKeys[0] })
  return {
    ready: { ...entry, apiKeys },
    running: {
      ended: end.over,
      stop: async () => {
        try {
          await server.close()
          await data.leave()
        } finally {
          // The last step: whoever waits for the end looks for this.
          if (list !== undefined) forgetServer(list, id)
        }
      },
    },
  }
}

interface Data {
  readonly sandbox: Sandbox
  readonly folder: string
  readonly isEphemeral: boolean
  readonly leave: () => Promise<void>
}

async function openData({ context }: Invocation, { dataDir, idempotency }: ServeOptions): Promise<Data> {
  const isEphemeral = dataDir === undefined
  const folder = dataDir ?? makeEphemeralFolder()
  const { now, random, uid } = context
  checkPrivateFolder(folder, uid)
  const sandbox = await openSandbox({ folder, now, random, idempotency })
  const leave = async () => {
    await sandbox.close()
    if (isEphemeral) rmSync(folder, { recursive: true, force: true })
  }
  try {
    // Opens it: what is wrong with the folder is better said now than to the first client.
    await sandbox.open()
  } catch (error) {
    await leave()
    throw error
  }
  return { sandbox, folder, isEphemeral, leave }
}

/** When the server is to end: at a signal, or when it is asked to. */
function endOf(stop: AbortSignal): { readonly over: Promise<void>; readonly come: () => void } {
  const asked = new AbortController()
  const over = new Promise<void>((resolve) => {
    for (const signal of [stop, asked.signal]) {
      if (signal.aborted) resolve()
      signal.addEventListener('abort', () => resolve(), { once: true })
    }
  })
  return { over, come: () => asked.abort() }
}

/** Returns the folder of the list. A server that nobody finds by it is still a server. */
async function putOnList(
  { context, warn }: Invocation,
  entry: RegisteredServer,
): Promise<string | undefined> {
  try {
    const folder = makeServersFolder(context.stateFolder)
    registerServer(folder, entry)
    return folder
  } catch (error) {
    const words = error instanceof Error ? error.message : String(error)
    await warn(`Warning: ${words}. pay sandbox status and pay sandbox stop will not find this server.`)
    return undefined
  }
}

/** A full disk fails every request: it is told when it begins. */
function onceEach(tell: (words: string) => void): (error: unknown) => void {
  let told = ''
  return (error) => {
    const words = error instanceof Error ? error.message : String(error)
    if (words === told) return
    told = words
    tell(
      error instanceof PayError && error.details.hint !== undefined
        ? `${words}. ${error.details.hint}`
        : words,
    )
  }
}
