import type { Invocation } from '../../cli/command/invocation.ts'
import { EXIT, interruptedBy, PayError } from '../../errors.ts'
import { callServer } from '../../sandbox/serve/call-server.ts'
import { isRegistered, serversFolder } from '../../sandbox/serve/registry.ts'
import type { RegisteredServer } from '../../sandbox/serve/registry.ts'
import { cleanUpAfter, isRunning } from './running-servers.ts'

const ASK_MS = 5_000
const POLL_MS = 50
/** Longer than a closing server gives requests in progress. */
const PATIENCE_MS = 30_000

/**
 * Asks a server to end, and waits until it and its files are gone. Never uses its process ID, which another program may have
 * taken over.
 */
export async function stopServer(invocation: Invocation, server: RegisteredServer): Promise<void> {
  const { context } = invocation
  const folder = serversFolder(context.stateFolder)
  const { stop } = context.interruption
  const { id, url, controlKey: key } = server
  await callServer({ url, method: 'POST', path: '/sandbox/stop', key, body: { id }, timeoutMs: ASK_MS })
  const since = context.now().getTime()
  while (isRegistered(folder, id)) {
    // The server was killed in the meantime.
    if (!(await isRunning(invocation, server))) await cleanUpAfter(invocation, server)
    if (context.now().getTime() - since >= PATIENCE_MS) throw stillRunningError(server)
    if (stop.aborted) throw interruptedBy(stop, `Interrupted: the server at ${url} was asked to stop.`)
    await context.sleep(POLL_MS, stop)
  }
}

const stillRunningError = ({ url, pid, machine }: RegisteredServer): PayError =>
  new PayError(
    'not_finished',
    EXIT.notFinished,
    `The server at ${url} was asked to stop but is still running`,
    {
      hint: `It may be answering a request. If it hangs, check that process ${pid} on ${machine} is still this server before you end it.`,
      next: ['pay sandbox status'],
    },
  )
