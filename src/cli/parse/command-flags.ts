import type { FlagKind, FlagSpec, ValueSpec } from '../command/flags.ts'
import type { CommandSpec } from '../command/spec.ts'
import { OUTPUT_FORMATS } from '../../output/output-format.ts'

/** An option of every command, given before or after the command's name. */
export interface GlobalFlag extends ValueSpec {
  readonly short?: string
  readonly value?: string
  readonly environment?: string
  readonly help: string
  /** The section on help pages. */
  readonly group: 'account' | 'output' | 'request' | 'safety' | 'other'
}

export const GLOBAL_FLAGS = {
  profile: {
    short: 'p',
    value: 'NAME',
    environment: 'PAY_PROFILE',
    from: 'profile',
    group: 'account',
    help: 'Profile for this call',
  },
  sandbox: { group: 'account', help: 'Use the embedded sandbox (same as --profile sandbox)' },
  'base-url': {
    value: 'URL',
    environment: 'PAY_BASE_URL',
    group: 'account',
    help: 'Service address: https, or http on loopback',
  },
  'api-version': {
    value: 'VERSION',
    environment: 'PAY_API_VERSION',
    group: 'account',
    help: 'X-Api-Version to send (default 2.1)',
  },
  output: {
    short: 'o',
    value: 'FORMAT',
    environment: 'PAY_OUTPUT',
    choices: OUTPUT_FORMATS,
    group: 'output',
    help: 'table, json, ndjson, yaml, csv or id',
  },
  json: { group: 'output', help: 'Same as --output json' },
  query: { value: 'EXPR', group: 'output', help: 'Select from the result with a JMESPath expression' },
  'no-pager': {
    environment: 'PAY_NO_PAGER',
    group: 'output',
    help: 'Print lists that are taller than the terminal at once',
  },
  quiet: { short: 'q', group: 'output', help: 'No notices on stderr' },
  verbose: { short: 'v', group: 'output', help: 'Show each attempt on stderr' },
  debug: { environment: 'PAY_DEBUG', group: 'output', help: 'Also show headers and bodies, redacted' },
  color: {
    value: 'WHEN',
    environment: 'NO_COLOR, FORCE_COLOR',
    choices: ['auto', 'always', 'never'],
    group: 'output',
    help: 'auto, always or never',
  },
  yes: { short: 'y', group: 'safety', help: 'Answer yes to confirmations' },
  'no-input': { environment: 'PAY_NO_INPUT', group: 'safety', help: 'Never ask questions' },
  'dry-run': { short: 'n', group: 'safety', help: 'Show the request, send nothing' },
  curl: { group: 'safety', help: 'Show the request as a curl command, send nothing' },
  reason: {
    value: 'TEXT',
    group: 'request',
    help: 'Reason to record; also sent if the API has a field for it',
  },
  'idempotency-key': { value: 'KEY', group: 'request', help: 'Your own key, for operations that take one' },
  once: {
    value: 'TICKET',
    group: 'safety',
    help: 'Do this once per ticket, on any machine: the key is derived from it',
  },
  again: { group: 'safety', help: 'Repeat a write of the last 10 minutes' },
  receipt: { group: 'output', help: 'Add a short summary to paste into a ticket' },
  timeout: {
    value: 'DURATION',
    environment: 'PAY_TIMEOUT',
    group: 'request',
    help: 'Limit per attempt, such as 10s (default 30s)',
  },
  'max-retries': {
    value: 'N',
    environment: 'PAY_MAX_RETRIES',
    group: 'request',
    help: 'Attempts after the first (default 3)',
  },
  help: { short: 'h', group: 'other', help: 'Show help: -h is short, --help complete' },
  version: { short: 'V', group: 'other', help: 'Show the version' },
} as const satisfies Record<string, GlobalFlag>

/** Flags of commands that send a body. */
const BODY_FLAGS = {
  data: {
    short: 'd',
    value: 'JSON|@FILE|-',
    group: 'body',
    help: 'The request body: JSON, a file, or stdin',
  },
  set: {
    value: 'PATH=VALUE',
    group: 'body',
    help: 'Set a field to a string, or to JSON with PATH:=JSON; repeatable',
  },
  'no-validate': { group: 'body', help: 'Send the body without checking it' },
} as const

/** A flag of a command: its own, or one that it shares with others. */
export interface AnyFlag extends FlagSpec, Pick<GlobalFlag, 'short' | 'environment'> {
  /** The section on help pages; undefined for the command's own flags. */
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

/** A flag in one of the forms that people type. */
export interface TypedFlag extends AnyFlag {
  readonly name: string
  /** The form: `--amount`, `--no-final`. */
  readonly typed: string
}

/** All flags that a command takes, in each form. */
export const typedFlags = (spec: CommandSpec | undefined): readonly TypedFlag[] =>
  allFlags(spec).flatMap(([name, flag]) =>
    (flag.kind === 'either' ? [name, `no-${name}`] : [name]).map((one) => ({
      ...flag,
      name,
      typed: `--${one}`,
    })),
  )

/** The names of all flags of the command, without dashes. */
export const flagNames = (spec: CommandSpec): readonly string[] =>
  typedFlags(spec).map(({ typed }) => typed.slice(2))

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
