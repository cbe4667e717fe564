import { resolve } from 'node:path'
import { textFlag } from '../../cli/command/input.ts'
import type { Invocation } from '../../cli/command/invocation.ts'
import type { FlagSpec } from '../../cli/command/flags.ts'
import { checkPrivateFolder } from '../../files/private-folder.ts'
import { openSandbox } from '../../sandbox/sandbox.ts'
import type { Sandbox } from '../../sandbox/sandbox.ts'
import { registeredServers, serversFolder } from '../../sandbox/serve/registry.ts'
import { shellWord } from '../../files/shell.ts'
import { runningServers } from './running-servers.ts'

/** Selects the sandbox; shared by every command that works on one. */
export const FOLDER_FLAG = {
  data: {
    kind: 'text',
    value: 'DIR',
    from: 'folder',
    help: 'Folder of the sandbox, as given to pay sandbox start',
  },
} as const satisfies Readonly<Record<string, FlagSpec>>

/** The data folder of the chosen sandbox. */
export function sandboxFolder({ context, input }: Invocation): string {
  const given = textFlag(input, 'data')
  return given === undefined ? context.sandboxFolder : resolve(context.cwd, given)
}

/** Opens the local sandbox for one piece of work, regardless of the profile. */
export async function withSandbox<T>(
  invocation: Invocation,
  work: (sandbox: Sandbox) => Promise<T>,
): Promise<T> {
  const { context, noteSandbox } = invocation
  const folder = sandboxFolder(invocation)
  await noteSandbox()
  if (textFlag(invocation.input, 'data') === undefined) await noteOtherServers(invocation, folder)
  checkPrivateFolder(folder, context.uid)
  const sandbox = await openSandbox({ folder, now: context.now, random: context.random })
  try {
    return await work(sandbox)
  } finally {
    await sandbox.close()
  }
}

/** Notes a running server if none uses the folder: what you do here doesn't reach its clients. */
async function noteOtherServers(invocation: Invocation, folder: string): Promise<void> {
  const { stateFolder } = invocation.context
  if (registeredServers(serversFolder(stateFolder)).every(({ dataDir }) => dataDir === folder)) return
  const servers = await runningServers(invocation)
  const [other] = servers
  if (other === undefined || servers.some(({ dataDir }) => dataDir === folder)) return
  await invocation.note(
    `The server at ${other.url} uses another folder. To act on it, add --data ${shellWord(other.dataDir)}`,
  )
}
