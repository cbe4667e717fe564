import type { Context } from '../cli/command/context.ts'
import type { Prompts } from '../cli/command/prompts-port.ts'
import type { CommandRun } from '../cli/command/spec.ts'
import { checkWith } from '../cli/command/check-with.ts'
import { readProfiles } from '../config/read-profiles.ts'
import { UsageError } from '../errors.ts'

interface NameQuestion {
  readonly name?: string
  readonly label?: string
  /** Throws for an invalid name; a terminal then asks again. */
  readonly check?: (name: string) => void
}

/** A required argument; a terminal asks for it. */
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

/** An existing profile, or one of `others`; a terminal shows a choice. */
export async function profileArgument(
  invocation: CommandRun,
  name = 'NAME',
  others: readonly string[] = [],
): Promise<string> {
  const given = invocation.input.args[name]
  if (given !== undefined) return given
  if (!invocation.isInteractive) throw missingName(invocation, name)
  return chooseProfile(await invocation.prompts(), invocation.context, others)
}

export async function chooseProfile(
  prompts: Prompts,
  { configFolder, uid }: Context,
  others: readonly string[],
): Promise<string> {
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
  return prompts.choose({ label: 'Profile', choices })
}

function missingName(invocation: CommandRun, name: string): UsageError {
  return new UsageError(`Missing: ${name}`, {
    code: 'missing_input',
    next: [`pay ${invocation.spec.path.join(' ')} --help`],
  })
}
