import type { Invocation } from '../../cli/command/invocation.ts'
import { resultOf, textView } from '../../cli/command/result.ts'
import type { CommandSpec } from '../../cli/command/spec.ts'
import { SANDBOX } from '../../config/profile.ts'
import { PayError } from '../../errors.ts'
import { FOLDER_FLAG, sandboxFolder, withSandbox } from './local-sandbox.ts'

export const command: CommandSpec = {
  path: ['sandbox', 'reset'],
  summary: 'Empty the sandbox and set its clock to now',
  details: 'A database that cannot be read is kept beside the new one.',
  examples: [{ says: 'start afresh', line: 'pay sandbox reset' }],
  flags: FOLDER_FLAG,
  run: async (invocation: Invocation) => {
    const folder = sandboxFolder(invocation)
    await withSandbox(invocation, (sandbox) => sandbox.reset())
    const isEmbedded = folder === invocation.context.sandboxFolder
    const abandoned = isEmbedded ? await abandonOpen(invocation) : []
    return resultOf(
      { reset: true, folder, abandoned },
      textView((shown) =>
        [
          `The sandbox in ${shown.folder} is empty.`,
          ...(abandoned.length === 0
            ? []
            : [`What was in doubt in it can no longer be found out: ${abandoned.length} abandoned.`]),
          ...(isEmbedded ? ['Tickets that were used in it stay used: name new ones with --once.'] : []),
        ].join('\n'),
      ),
    )
  },
  risk: 'destructive',
  effect: 'Empties the sandbox: no real money is in it. It cannot be undone.',
  related: ['sandbox clock', 'sandbox start'],
}

/** The ids of the writes that were in doubt: there is nothing left in which to look for them. */
async function abandonOpen({ context }: Invocation): Promise<readonly string[]> {
  const ledger = await context.ledger()
  const { records } = await ledger.list({ onlyOpen: true, profile: SANDBOX, isLook: true })
  const abandoned: string[] = []
  for (const { id, state } of records) {
    if (state !== 'in-doubt') continue
    try {
      await (await ledger.reopen(id)).abandon('the sandbox was emptied')
      abandoned.push(id)
    } catch (error) {
      // Another process has it in hand, or has ended it.
      if (!(error instanceof PayError) || !['in_progress', 'no_such_operation'].includes(error.code))
        throw error
    }
  }
  return abandoned
}
