import { resultOf } from '../../cli/command/result.ts'
import type { CommandSpec } from '../../cli/command/spec.ts'
import { serverListView, shownServer } from './server-views.ts'
import { runningServers } from './running-servers.ts'

export const command: CommandSpec = {
  path: ['sandbox', 'status'],
  summary: 'List the sandbox servers running on this machine',
  details:
    'Checks that each server still responds. If none runs, the exit code is 0, and with --json the list is empty.',
  examples: [
    { purpose: 'list servers and their folders', line: 'pay sandbox status' },
    { purpose: 'print only the URLs', line: 'pay sandbox status -o id' },
  ],
  run: async (invocation) => {
    await invocation.noteSandbox()
    const servers = await runningServers(invocation)
    return resultOf(servers.map(shownServer), serverListView)
  },
  related: ['sandbox start', 'sandbox open', 'sandbox stop'],
}
