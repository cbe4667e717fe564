import { BODY_FLAGS, GLOBAL_FLAGS } from '../parse/globals.ts'
import type { CommandSpec, FlagKind } from './spec.ts'

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

/** Names of all flags that the command takes, without dashes. */
export function flagNames(spec: CommandSpec): readonly string[] {
  return [
    ...Object.entries(spec.flags ?? {}).flatMap(([name, flag]) =>
      flag.kind === 'either' ? [name, `no-${name}`] : [name],
    ),
    ...(takesBody(spec) ? Object.keys(BODY_FLAGS) : []),
    ...Object.keys(GLOBAL_FLAGS),
  ]
}

export const takesBody = (spec: CommandSpec): boolean =>
  spec.operation?.request !== undefined || spec.path[0] === 'api'

/** How the arguments and options are typed: `(ID | --order …) [options]`. */
export function usageOf({ args = [] }: CommandSpec): string {
  const names = args.map(({ name, optional, foundBy }) =>
    foundBy !== undefined ? `(${name} | --${foundBy.flag} …)` : optional === true ? `[${name}]` : name,
  )
  return [...names, '[options]'].join(' ')
}

export const isRepeatable = (kind: FlagKind): boolean =>
  kind === 'pairs' || kind === 'objects' || kind === 'texts' || kind === 'unset'
