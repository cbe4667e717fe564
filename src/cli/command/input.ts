/** The arguments and flags of a command line. Only their form has been checked. */
export interface CommandInput {
  /** Values by argument name. */
  readonly args: Readonly<Record<string, string>>
  /** The words of an argument that repeats. */
  readonly words?: readonly string[]
  /** Values by flag name: text, a boolean for a switch, a list for a repeatable flag. */
  readonly flags: Readonly<Record<string, FlagValue>>
}

export type FlagValue = string | boolean | readonly string[]

/** The value of a text flag; undefined if not given. */
export function textFlag(input: CommandInput, name: string): string | undefined {
  const value = input.flags[name]
  return typeof value === 'string' ? value : undefined
}

export const switchFlag = (input: CommandInput, name: string): boolean => input.flags[name] === true

export function listFlag(input: CommandInput, name: string): readonly string[] {
  const value = input.flags[name]
  return typeof value === 'object' ? value : []
}
