import type { FlagKind } from '../command/flags.ts'
import type { CommandSpec } from '../command/spec.ts'
import { BODY_FLAGS, GLOBAL_FLAGS } from './globals.ts'

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
  const names = args.map(({ name, optional, lookup }) =>
    lookup !== undefined ? `(${name} | --${lookup.flag} …)` : optional === true ? `[${name}]` : name,
  )
  return [...names, '[options]'].join(' ')
}

export const isRepeatable = (kind: FlagKind): boolean =>
  kind === 'pairs' || kind === 'objects' || kind === 'texts' || kind === 'unset'

/** `--order-id` is asked for as "Order id". */
export const labelOf = (name: string): string => {
  const words = name.replaceAll('-', ' ')
  return words.charAt(0).toUpperCase() + words.slice(1)
}
