import type { Invocation } from '../../cli/command/invocation.ts'
import type { Running } from '../../cli/command/result.ts'
import { messageOf, PayError } from '../../errors.ts'
import { checkPrivateFolder } from '../../files/private-folder.ts'
import { openSandbox } from '../../sandbox/sandbox.ts'
import type { Sandbox } from '../../sandbox/sandbox.ts'
import { SANDBOX_KEYS } from '../../sandbox/domain/accounts.ts'
import { unregisterServer, makeServersFolder, registerServer } from '../../sandbox/serve/registry.ts'
import type { ReadyServer, RegisteredServer } from '../../sandbox/serve/registry.ts'
import { pagesIn } from '../../sandbox/serve/pages.ts'
import { makeServerKeys } from '../../sandbox/serve/server-keys.ts'
import { startServer } from '../../sandbox/serve/server.ts'
import { makeEphemeralFolder, removeEphemeralFolder } from './ephemeral-folder.ts'
import { pageUrls } from './server-views.ts'
import { isLocal } from './serve-options.ts'
import type { ServeOptions } from './serve-options.ts'

/** Serves the sandbox in this process, until a signal or `pay sandbox stop` ends it. */
export async function serveHere(
  invocation: Invocation,
  options: ServeOptions,
): Promise<{ readonly ready: ReadyServer; readonly running: Running }> {
  const { context, warn } = invocation
  const data = await openData(invocation, options)
  const stopping = stopSignal(context.interruption.stop)
  const { host, idempotency } = options
  const about = { dataDir: data.folder, ephemeral: data.isEphemeral, idempotency, version: context.version }
  // The published keys aren't secret, so a server that other machines can reach has its own.
  const keys = isLocal(host)
    ? undefined
    : makeServerKeys(() => context.newId().replaceAll('-', ''), options.namedKey)
  const server = await startServer({
    ...options,
    keys,
    pages: pagesIn({ folder: context.program.pagesFolder(), allowedOrigins: options.allowedOrigins }),
    sandbox: data.sandbox,
    now: context.now,
    newId: context.newId,
    pid: context.program.pid,
    about,
    onStop: stopping.requestStop,
    onFailure: withoutRepeats((message) => void warn(`Warning: a request failed: ${message}`)),
  }).catch(async (error: unknown) => {
    await data.close()
    throw error
  })
  const { id, pid, url, port, startedAt } = server
  const entry = { id, pid, machine: context.program.machine, url, host, port, ...about, startedAt }
  // A named key is known to its user: it is neither printed nor written to the registry.
  const apiKeys =
    keys === undefined
      ? SANDBOX_KEYS.map(({ key }) => key)
      : [...keys.keys()].filter((key) => key !== options.namedKey)
  const registry = await register(
    invocation,
    keys === undefined ? entry : { ...entry, controlKey: apiKeys[0] },
  )
  return {
    ready: { ...entry, apiKeys, ...pageUrls(entry) },
    running: {
      ended: stopping.ended,
      stop: async () => {
        try {
          await server.close()
          await data.close()
        } finally {
          // Keep this last: `pay sandbox stop` waits for it.
          if (registry !== undefined) unregisterServer(registry, id)
        }
      },
    },
  }
}

interface Data {
  readonly sandbox: Sandbox
  readonly folder: string
  readonly isEphemeral: boolean
  readonly close: () => Promise<void>
}

async function openData({ context }: Invocation, { dataDir, idempotency }: ServeOptions): Promise<Data> {
  const isEphemeral = dataDir === undefined
  const folder = dataDir ?? makeEphemeralFolder()
  const { now, random, uid } = context
  checkPrivateFolder(folder, uid)
  const sandbox = await openSandbox({ folder, now, random, idempotency })
  const close = async () => {
    await sandbox.close()
    if (isEphemeral) removeEphemeralFolder(folder)
  }
  try {
    // Open the database now, so that a problem shows up before the first request.
    await sandbox.open()
  } catch (error) {
    await close()
    throw error
  }
  return { sandbox, folder, isEphemeral, close }
}

/** Resolves when the server should end: on a signal or a stop request. */
function stopSignal(stop: AbortSignal): { readonly ended: Promise<void>; readonly requestStop: () => void } {
  const stopRequest = new AbortController()
  const ended = new Promise<void>((resolve) => {
    for (const signal of [stop, stopRequest.signal]) {
      if (signal.aborted) resolve()
      signal.addEventListener('abort', () => resolve(), { once: true })
    }
  })
  return { ended, requestStop: () => stopRequest.abort() }
}

/** Returns the registry folder; undefined if the server couldn't be registered, which doesn't stop it from serving. */
async function register({ context, warn }: Invocation, entry: RegisteredServer): Promise<string | undefined> {
  try {
    const folder = makeServersFolder(context.stateFolder)
    registerServer(folder, entry)
    return folder
  } catch (error) {
    const message = messageOf(error)
    await warn(`Warning: ${message}. pay sandbox status and pay sandbox stop will not find this server.`)
    return undefined
  }
}

/** Skips a message that repeats the one before: a full disk fails every request. */
function withoutRepeats(report: (message: string) => void): (error: unknown) => void {
  let last = ''
  return (error) => {
    const message = messageOf(error)
    if (message === last) return
    last = message
    report(
      error instanceof PayError && error.details.hint !== undefined
        ? `${message}. ${error.details.hint}`
        : message,
    )
  }
}
