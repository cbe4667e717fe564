import { resolve } from 'node:path'
import { textFlag } from '../../cli/command/input.ts'
import type { Invocation } from '../../cli/command/invocation.ts'
import type { FlagSpec } from '../../cli/command/flags.ts'
import { UsageError } from '../../errors.ts'
import { checkPrivateFolder } from '../../files/private-folder.ts'
import { openSandbox } from '../../sandbox/sandbox.ts'
import type { Sandbox } from '../../sandbox/sandbox.ts'

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
  if (given === '') throw new UsageError('--data needs a folder', { code: 'bad_value' })
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
  checkPrivateFolder(folder, context.uid)
  const sandbox = await openSandbox({ folder, now: context.now, random: context.random })
  try {
    return await work(sandbox)
  } finally {
    await sandbox.close()
  }
}
