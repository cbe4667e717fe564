import { switchFlag, textFlag } from '../../cli/command/input.ts'
import type { CommandInput } from '../../cli/command/input.ts'
import type { Invocation } from '../../cli/command/invocation.ts'
import { resultOf } from '../../cli/command/result.ts'
import type { CommandSpec } from '../../cli/command/spec.ts'
import { UsageError, EXIT, interruptedBy, PayError } from '../../errors.ts'
import { withoutKey, isRegistered, serversFolder } from '../../sandbox/serve/registry.ts'
import type { RegisteredServer } from '../../sandbox/serve/registry.ts'
import { stoppedServersView } from './server-views.ts'
import { runningServers, cleanUpAfter, isRunning } from './running-servers.ts'
import { readPort } from './serve-options.ts'
import { callServer } from '../../sandbox/serve/call-server.ts'

export const command: CommandSpec = {
  path: ['sandbox', 'stop'],
  summary: 'Stop a sandbox server and wait until it has ended',
  details:
    'The server finishes requests in progress first. Without flags, this stops the only server; if several run, choose with --port or --all. If none runs, the exit code is 0.',
  examples: [
    { purpose: 'stop the only server', line: 'pay sandbox stop' },
    { purpose: 'stop every server', line: 'pay sandbox stop --all' },
  ],
  flags: {
    port: { kind: 'count', value: 'N', help: 'Stop the server on this port' },
    all: { kind: 'switch', help: 'Stop every server on this machine' },
  },
  run,
  risk: 'write',
  effect: 'Stops a server on this machine; its data stays. Start it again with pay sandbox start.',
  related: ['sandbox start', 'sandbox status'],
}

async function run(invocation: Invocation, input: CommandInput) {
  const portText = textFlag(input, 'port')
  const isAll = switchFlag(input, 'all')
  if (portText !== undefined && isAll)
    throw new UsageError('--port and --all cannot be used together', { code: 'given_twice' })
  const port = portText === undefined ? undefined : readPort(portText)
  await invocation.noteSandbox()
  const running = await runningServers(invocation)
  const chosen = port === undefined ? running : running.filter((server) => server.port === port)
  if (port === undefined && !isAll && chosen.length > 1) throw severalServersRunning(chosen)
  await Promise.all(chosen.map((server) => stopServer(invocation, server)))
  return resultOf(chosen.map(withoutKey), stoppedServersView)
}

const severalServersRunning = (servers: readonly RegisteredServer[]): UsageError =>
  new UsageError(`Several servers are running: ${servers.map(({ url }) => url).join(', ')}`, {
    code: 'several_servers',
    hint: 'Choose one with --port, or use --all.',
    next: [...servers.map(({ port }) => `pay sandbox stop --port ${port}`), 'pay sandbox stop --all'],
  })

const ASK_MS = 5_000
const POLL_MS = 50
/** How long to wait for a server to end: longer than it gives requests in progress. */
const PATIENCE_MS = 30_000

/**
 * Asks a server to end, and waits until it and its files are gone. Never uses its process ID, which another program may have
 * taken over.
 */
async function stopServer(invocation: Invocation, server: RegisteredServer): Promise<void> {
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
