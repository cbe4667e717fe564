import { rmSync } from 'node:fs'
import { fieldAt } from '../../cli/parse/field-path.ts'
import type { Invocation } from '../../cli/command/invocation.ts'
import { askServer } from '../../sandbox/serve/ask.ts'
import { forgetLostServer, registeredServers, serversFolder } from '../../sandbox/serve/registry.ts'
import type { RegisteredServer } from '../../sandbox/serve/registry.ts'
import { isEphemeralFolder } from './ephemeral-folder.ts'

/** A server that is busy answers late; one that is gone refuses at once. */
const ANSWER_MS = 5_000

/** The servers that run; what killed ones have left behind is cleared away. */
export async function runningServers(invocation: Invocation): Promise<readonly RegisteredServer[]> {
  const known = registeredServers(serversFolder(invocation.context.stateFolder))
  const servers = await Promise.all(
    known.map(async (server) => {
      if (await isRunning(invocation, server)) return [server]
      await clearAway(invocation, server)
      return []
    }),
  )
  return servers.flat()
}

/**
 * Whether it is the very one that answers: another program may have its port by now. One that is there and does not
 * answer in time counts as running.
 */
export async function isRunning(
  { settings }: Invocation,
  { id, url, controlKey }: RegisteredServer,
): Promise<boolean> {
  let isBusy = false
  const answer = await askServer({
    url,
    method: 'GET',
    path: '/sandbox/status',
    key: controlKey,
    timeoutMs: Math.min(settings.timeoutMs, ANSWER_MS),
    onLate: () => {
      isBusy = true
    },
  })
  return isBusy || fieldAt(answer?.body, ['server', 'id']) === id
}

/**
 * After a server that can no longer do it; one that is just ending still can, and of one on another machine that shares the
 * folder nobody knows here.
 */
export async function clearAway({ context, warn }: Invocation, server: RegisteredServer): Promise<void> {
  const { machine, isAlive } = context.program
  if (server.machine !== machine || isAlive(server.pid)) return
  if (server.ephemeral && isEphemeralFolder(server.dataDir))
    rmSync(server.dataDir, { recursive: true, force: true })
  const log = forgetLostServer(serversFolder(context.stateFolder), server.id)
  if (log !== undefined)
    await warn(`Warning: the server at ${server.url} ended by itself. What it said is in ${log}`)
}
