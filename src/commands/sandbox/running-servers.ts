import { fieldAt } from '../../json/fields.ts'
import type { Invocation } from '../../cli/command/invocation.ts'
import { callServer } from '../../sandbox/serve/call-server.ts'
import { unregisterLostServer, registeredServers, serversFolder } from '../../sandbox/serve/registry.ts'
import type { RegisteredServer } from '../../sandbox/serve/registry.ts'
import { isEphemeralFolder, removeEphemeralFolder } from './ephemeral-folder.ts'

/** The longest that a busy server takes to respond; one that has ended refuses at once. */
const ANSWER_MS = 5_000

/** The servers that still run. Cleans up after servers that were killed. */
export async function runningServers(invocation: Invocation): Promise<readonly RegisteredServer[]> {
  const registered = registeredServers(serversFolder(invocation.context.stateFolder))
  const servers = await Promise.all(
    registered.map(async (server) => {
      if (await isRunning(invocation, server)) return [server]
      await cleanUpAfter(invocation, server)
      return []
    }),
  )
  return servers.flat()
}

/**
 * Whether this server still runs. Checks its ID, because another program may have taken over the port. A server that
 * doesn't respond in time counts as running.
 */
export async function isRunning(
  { settings }: Invocation,
  { id, url, controlKey }: RegisteredServer,
): Promise<boolean> {
  let isBusy = false
  const answer = await callServer({
    url,
    method: 'GET',
    path: '/sandbox/status',
    key: controlKey,
    timeoutMs: Math.min(settings.timeoutMs, ANSWER_MS),
    onTimeout: () => {
      isBusy = true
    },
  })
  return isBusy || fieldAt(answer?.body, ['server', 'id']) === id
}

/**
 * Removes what a killed server left behind. Does nothing if the server may still be shutting down, or belongs to another
 * machine that shares the folder.
 */
export async function cleanUpAfter({ context, warn }: Invocation, server: RegisteredServer): Promise<void> {
  const { machine, isAlive } = context.program
  if (server.machine !== machine || isAlive(server.pid)) return
  if (server.ephemeral && isEphemeralFolder(server.dataDir)) removeEphemeralFolder(server.dataDir)
  const log = unregisterLostServer(serversFolder(context.stateFolder), server.id)
  if (log !== undefined)
    await warn(`Warning: the server at ${server.url} ended unexpectedly. Its log is ${log}`)
}
