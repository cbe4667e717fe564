import type { CommandRun } from '../../cli/command/spec.ts'
import { checkWith } from '../../cli/command/check-with.ts'
import { chooseProfile } from '../../cli/account/choose-profile.ts'
import { UsageError } from '../../errors.ts'

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

function missingName(invocation: CommandRun, name: string): UsageError {
  return new UsageError(`Missing: ${name}`, {
    code: 'missing_input',
    next: [`pay ${invocation.spec.path.join(' ')} --help`],
  })
}
