/** What was typed, checked for form only. */
export interface CommandInput {
  /** By argument name. */
  readonly args: Readonly<Record<string, string>>
  /** By flag name: text, true or false for switches, lists for repeatable ones. */
  readonly flags: Readonly<Record<string, FlagValue>>
}

export type FlagValue = string | boolean | readonly string[]

/** A text flag's value; undefined when it was not given. */
export function textFlag(input: CommandInput, name: string): string | undefined {
  const value = input.flags[name]
  return typeof value === 'string' ? value : undefined
}

export const switchFlag = (input: CommandInput, name: string): boolean => input.flags[name] === true

export function listFlag(input: CommandInput, name: string): readonly string[] {
  const value = input.flags[name]
  return typeof value === 'object' ? value : []
}
