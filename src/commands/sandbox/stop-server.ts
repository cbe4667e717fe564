import type { Invocation } from '../../cli/command/invocation.ts'
import { EXIT, interruptedBy, PayError } from '../../errors.ts'
import { askServer } from '../../sandbox/serve/ask.ts'
import { isRegistered, serversFolder } from '../../sandbox/serve/registry.ts'
import type { RegisteredServer } from '../../sandbox/serve/registry.ts'
import { clearAway, isRunning } from './running-servers.ts'

const ASK_MS = 5_000
const POLL_MS = 50
/** Longer than a server gives the requests that are under way. */
const PATIENCE_MS = 30_000

/**
 * Ends a server by asking it, never by its process number, which another program may have by now. Returns when it is
 * gone with all that it leaves behind.
 */
export async function stopServer(invocation: Invocation, server: RegisteredServer): Promise<void> {
  const { context } = invocation
  const folder = serversFolder(context.stateFolder)
  const { stop } = context.interruption
  const { id, url, controlKey: key } = server
  await askServer({ url, method: 'POST', path: '/sandbox/stop', key, body: { id }, timeoutMs: ASK_MS })
  const since = context.now().getTime()
  while (isRegistered(folder, id)) {
    // Killed meanwhile.
    if (!(await isRunning(invocation, server))) await clearAway(invocation, server)
    if (context.now().getTime() - since >= PATIENCE_MS) throw staysOn(server)
    if (stop.aborted) throw interruptedBy(stop, `Interrupted: the server at ${url} was asked to end.`)
    await context.sleep(POLL_MS, stop)
  }
}

const staysOn = ({ url, pid, machine }: RegisteredServer): PayError =>
  new PayError('not_finished', EXIT.notFinished, `The server at ${url} was asked to end, and still runs`, {
    hint: `It may be answering a request. If it hangs, look whether process ${pid} of ${machine} is still it before you end that.`,
    next: ['pay sandbox status'],
  })
