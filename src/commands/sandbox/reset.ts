import type { Invocation } from '../../cli/invocation.ts'
import { resultOf, textView } from '../../cli/result.ts'
import type { CommandSpec } from '../../cli/spec.ts'
import { FOLDER_FLAG, sandboxFolder, withSandbox } from './local-sandbox.ts'

export const command: CommandSpec = {
  path: ['sandbox', 'reset'],
  summary: 'Empty the sandbox and set its clock to now',
  details: 'A database that cannot be read is kept beside the new one.',
  examples: [{ says: 'start afresh', line: 'pay sandbox reset' }],
  flags: FOLDER_FLAG,
  run: async (invocation: Invocation) => {
    await withSandbox(invocation, (sandbox) => sandbox.reset())
    return resultOf(
      { reset: true, folder: sandboxFolder(invocation) },
      textView(({ folder }) => `The sandbox in ${folder} is empty.`),
    )
  },
}
