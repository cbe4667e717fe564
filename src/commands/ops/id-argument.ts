import type { Invocation } from '../../cli/command/invocation.ts'
import { UsageError } from '../../errors.ts'

/** The id as it was typed, or as a person gives it now. */
export async function idArgument(invocation: Invocation): Promise<string> {
  const given = invocation.input.args['ID']
  if (given !== undefined) return given.trim()
  if (invocation.isInteractive)
    return (await (await invocation.prompts()).text({ label: 'ID', hint: 'of the operation' })).trim()
  throw new UsageError('Missing: ID', { code: 'missing_input', next: ['pay ops list'] })
}

export const ID_ARGUMENT = {
  name: 'ID',
  from: 'write',
  help: "The operation's id, or a beginning of it",
} as const
