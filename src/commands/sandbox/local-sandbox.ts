import type { Invocation } from '../../cli/invocation.ts'
import { openSandbox } from '../../sandbox/sandbox.ts'
import type { Sandbox } from '../../sandbox/sandbox.ts'

/** This machine's sandbox, whatever the profile, for the time of one piece of work. */
export async function withSandbox<T>(
  { context, note }: Invocation,
  work: (sandbox: Sandbox) => Promise<T>,
): Promise<T> {
  await note('embedded sandbox: no real money')
  const sandbox = await openSandbox({
    folder: context.sandboxFolder,
    now: context.now,
    random: context.random,
  })
  try {
    return await work(sandbox)
  } finally {
    await sandbox.close()
  }
}
