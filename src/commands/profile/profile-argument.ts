import type { CommandRun } from '../../cli/command/spec.ts'
import { checkWith } from '../../cli/command/check-with.ts'
import { readProfiles } from '../../config/read-profiles.ts'
import { UsageError } from '../../errors.ts'

interface NameQuestion {
  readonly name?: string
  readonly label?: string
  /** Throws for a name that will not do: on a terminal it is asked for again. */
  readonly check?: (name: string) => void
}

/** The one argument that a command cannot do without; asked for on a terminal. */
export async function nameArgument(
  invocation: CommandRun,
  { name = 'NAME', label = 'Profile name', check }: NameQuestion = {},
): Promise<string> {
  const given = invocation.input.args[name]
  if (given !== undefined) return given
  if (invocation.isInteractive) {
    const problem = check === undefined ? undefined : checkWith((answer) => check(answer.trim()))
    return (await (await invocation.prompts()).text({ label, check: problem })).trim()
  }
  throw missingName(invocation, name)
}

/** One of the profiles that there are, chosen on a terminal. */
export async function profileArgument(
  invocation: CommandRun,
  name = 'NAME',
  others: readonly string[] = [],
): Promise<string> {
  const given = invocation.input.args[name]
  if (given !== undefined) return given
  if (!invocation.isInteractive) throw missingName(invocation, name)
  const { configFolder, uid } = invocation.context
  const { profiles, defaultProfile } = readProfiles(configFolder, { uid })
  const choices = [
    ...[...profiles.values()].map(({ name: value, mode, baseUrl }) => ({
      value,
      text: `${value}  ${mode === 'live' ? 'LIVE' : 'test'}  ${baseUrl}${value === defaultProfile ? '  (default)' : ''}`,
    })),
    ...others.map((value) => ({ value, text: value })),
  ]
  if (choices.length === 0)
    throw new UsageError('There are no profiles', { code: 'unknown_profile', next: ['pay profile add'] })
  return (await invocation.prompts()).choose({ label: 'Profile', choices })
}

function missingName(invocation: CommandRun, name: string): UsageError {
  return new UsageError(`Missing: ${name}`, {
    code: 'missing_input',
    next: [`pay ${invocation.spec.path.join(' ')} --help`],
  })
}
