import type { Invocation } from '../../cli/command/invocation.ts'
import { resultOf, textView } from '../../cli/command/result.ts'
import type { CommandSpec } from '../../cli/command/spec.ts'
import { SANDBOX } from '../../client/config/profile.ts'
import { PayError } from '../../errors.ts'
import { FOLDER_FLAG, sandboxFolder, withSandbox } from './local-sandbox.ts'
import { OPEN_STATES } from '../../client/ledger/record.ts'
import type { Sandbox } from '../../sandbox/sandbox.ts'
import { pluralize } from '../../text/words.ts'

export const command: CommandSpec = {
  path: ['sandbox', 'reset'],
  summary: 'Empty the sandbox and reset its clock',
  details: 'Keeps an unreadable database under another name.',
  examples: [{ purpose: 'start over', line: 'pay sandbox reset' }],
  flags: FOLDER_FLAG,
  run: async (invocation) => {
    const folder = sandboxFolder(invocation)
    const abandoned = await withSandbox(invocation, (sandbox) => emptySandbox(invocation, sandbox))
    return resultOf(
      { reset: true, folder, abandoned },
      textView((shown) =>
        [
          `The sandbox in ${shown.folder} is empty.`,
          ...(abandoned.length === 0
            ? []
            : [`Abandoned ${pluralize(abandoned.length, 'operation')} in doubt: the data to check is gone.`]),
        ].join('\n'),
      ),
    )
  },
  risk: 'destructive',
  effect: "Empties the sandbox: no real money. You can't undo this.",
  related: ['sandbox clock', 'sandbox start'],
}

const isEmbedded = (invocation: Invocation): boolean =>
  sandboxFolder(invocation) === invocation.context.sandboxFolder

/** Returns the IDs of the operations that it abandons. */
export async function emptySandbox(invocation: Invocation, sandbox: Sandbox): Promise<readonly string[]> {
  await sandbox.reset()
  return isEmbedded(invocation) ? abandonInDoubt(invocation) : []
}

/** Abandons the writes in doubt, because the data that could settle them is gone. Returns their IDs. */
async function abandonInDoubt({ context }: Invocation): Promise<readonly string[]> {
  const ledger = await context.ledger(undefined)
  const { records } = await ledger.list({ states: OPEN_STATES, profile: SANDBOX })
  const abandoned: string[] = []
  for (const { id, state } of records) {
    if (state !== 'in-doubt') continue
    try {
      await (await ledger.reopen(id)).abandon('the sandbox was emptied')
      abandoned.push(id)
    } catch (error) {
      // Another process is working on it, or has finished it.
      if (!(error instanceof PayError) || !['in_progress', 'no_such_operation'].includes(error.code))
        throw error
    }
  }
  return abandoned
}
