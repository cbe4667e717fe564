import type { FlagKind } from '../command/flags.ts'
import type { CommandSpec } from '../command/spec.ts'
import { BODY_FLAGS, GLOBAL_FLAGS } from './globals.ts'

/** The names of all flags of the command, without dashes. */
export function flagNames(spec: CommandSpec): readonly string[] {
  return [
    ...Object.entries(spec.flags ?? {}).flatMap(([name, flag]) =>
      flag.kind === 'either' ? [name, `no-${name}`] : [name],
    ),
    ...(takesBody(spec) ? Object.keys(BODY_FLAGS) : []),
    ...Object.keys(GLOBAL_FLAGS),
  ]
}

/** Whether the command sends a body, and so takes {@link BODY_FLAGS}. */
export const takesBody = (spec: CommandSpec): boolean =>
  spec.operation?.request !== undefined || spec.sendsAnyBody === true

/** The usage of the arguments and options: `(ID | --order …) [options]`. */
export function usageOf({ args = [] }: CommandSpec): string {
  const names = args.map(({ name, optional, repeats, lookup }) => {
    const shown = repeats === true ? `${name}…` : name
    return lookup !== undefined ? `(${shown} | --${lookup.flag} …)` : optional === true ? `[${shown}]` : shown
  })
  return [...names, '[options]'].join(' ')
}

export const isRepeatable = (kind: FlagKind): boolean =>
  kind === 'pairs' || kind === 'objects' || kind === 'texts' || kind === 'unset'

/** The label of a question for a flag: "Order ID" for `order-id`. */
export const labelOf = (name: string): string => {
  const words = name.replaceAll('-', ' ').replaceAll(/\bid\b/g, 'ID')
  return words.charAt(0).toUpperCase() + words.slice(1)
}
