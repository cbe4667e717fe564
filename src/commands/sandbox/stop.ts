import { switchFlag, textFlag } from '../../cli/command/input.ts'
import type { CommandInput } from '../../cli/command/input.ts'
import type { Invocation } from '../../cli/command/invocation.ts'
import { resultOf } from '../../cli/command/result.ts'
import type { CommandSpec } from '../../cli/command/spec.ts'
import { UsageError } from '../../errors.ts'
import { withoutKey } from '../../sandbox/serve/registry.ts'
import type { RegisteredServer } from '../../sandbox/serve/registry.ts'
import { stoppedServersView } from '../../views/sandbox/server.ts'
import { runningServers } from './running-servers.ts'
import { readPort } from './serve-options.ts'
import { stopServer } from './stop-server.ts'

export const command: CommandSpec = {
  path: ['sandbox', 'stop'],
  summary: 'End a sandbox server, and wait until it is gone',
  details:
    'It answers what is under way first. Without a flag it ends the one that runs; where several do, say which. Where none runs there is nothing to do, and the exit code is 0.',
  examples: [
    { says: 'the one that runs', line: 'pay sandbox stop' },
    { says: 'every one', line: 'pay sandbox stop --all' },
  ],
  flags: {
    port: { kind: 'count', value: 'N', help: 'The one on this port' },
    all: { kind: 'switch', help: 'All that run on this machine' },
  },
  run,
  risk: 'write',
  effect: 'Ends a server on this machine; its data stays. Undone by pay sandbox start.',
  related: ['sandbox start', 'sandbox status'],
}

async function run(invocation: Invocation, input: CommandInput) {
  const portText = textFlag(input, 'port')
  const isAll = switchFlag(input, 'all')
  if (portText !== undefined && isAll)
    throw new UsageError('--port and --all contradict each other', { code: 'given_twice' })
  const port = portText === undefined ? undefined : readPort(portText)
  await invocation.note('embedded sandbox: no real money')
  const running = await runningServers(invocation)
  const chosen = port === undefined ? running : running.filter((server) => server.port === port)
  if (port === undefined && !isAll && chosen.length > 1) throw severalRun(chosen)
  await Promise.all(chosen.map((server) => stopServer(invocation, server)))
  return resultOf(chosen.map(withoutKey), stoppedServersView)
}

const severalRun = (servers: readonly RegisteredServer[]): UsageError =>
  new UsageError(`Several servers run: ${servers.map(({ url }) => url).join(', ')}`, {
    code: 'several_servers',
    outcome: 'none',
    hint: 'Say which by --port, or --all.',
    next: [...servers.map(({ port }) => `pay sandbox stop --port ${port}`), 'pay sandbox stop --all'],
  })
