import type { FlagKind, FlagSpec } from '../command/flags.ts'
import type { CommandSpec } from '../command/spec.ts'
import { BODY_FLAGS, GLOBAL_FLAGS } from './globals.ts'
import type { GlobalFlag } from './globals.ts'

/** A flag of a command: its own, or one that it shares with others. */
export interface AnyFlag extends FlagSpec, Pick<GlobalFlag, 'short' | 'environment'> {
  /** Its section on help pages; undefined for the command's own. */
  readonly group?: GlobalFlag['group'] | 'body'
}

type NamedFlag = readonly [name: string, flag: AnyFlag]

const shared = (flags: Readonly<Record<string, Omit<AnyFlag, 'kind'>>>): readonly NamedFlag[] =>
  Object.entries(flags).map(([name, flag]) => [
    name,
    { kind: flag.value === undefined ? 'switch' : name === 'set' ? 'texts' : 'text', ...flag },
  ])

export const globalFlags = (): readonly NamedFlag[] => shared(GLOBAL_FLAGS)

/** The flags of one command, and those of its body. */
export const ownFlags = (spec: CommandSpec): readonly NamedFlag[] => [
  ...Object.entries(spec.flags ?? {}),
  ...(takesBody(spec) ? shared(BODY_FLAGS) : []),
]

/** All flags that a command takes; without one, those of every command. */
export const allFlags = (spec: CommandSpec | undefined): readonly NamedFlag[] =>
  spec === undefined
    ? globalFlags()
    : [...ownFlags(spec), ...globalFlags().filter(([name]) => spec.flags?.[name] === undefined)]

/** The names of all flags of the command, without dashes. */
export const flagNames = (spec: CommandSpec): readonly string[] =>
  allFlags(spec).flatMap(([name, { kind }]) => (kind === 'either' ? [name, `no-${name}`] : [name]))

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

export const takesValue = (kind: FlagKind): boolean => kind !== 'switch' && kind !== 'either'

export const isRepeatable = (kind: FlagKind): boolean =>
  kind === 'pairs' || kind === 'objects' || kind === 'texts' || kind === 'unset'

/** The label of a question for a flag: "Order ID" for `order-id`. */
export const labelOf = (name: string): string => {
  const words = name.replaceAll('-', ' ').replaceAll(/\bid\b/g, 'ID')
  return words.charAt(0).toUpperCase() + words.slice(1)
}
