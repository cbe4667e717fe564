import type { Risk } from '../../api/operation.ts'
import type { ExitCode } from '../../errors.ts'
import { EXIT_MEANINGS, asksOnLive, exitCodesOf } from './exit-codes.ts'
import { BODY_FLAGS, GLOBAL_FLAGS } from '../parse/globals.ts'
import type { GlobalFlag } from '../parse/globals.ts'
import { isRepeatable, takesBody, usageOf } from '../parse/command-flags.ts'
import { riskOf } from '../command/spec.ts'
import type { CommandSpec, Noun } from '../command/spec.ts'
import type { ArgumentSpec, FlagKind, FlagSpec } from '../command/flags.ts'

/** Everything a program needs to know to run a command. Fields without a value are omitted. */
export interface CommandDescription {
  /** What to type after `pay`. */
  readonly command: string
  readonly aliases?: readonly string[]
  readonly usage: string
  readonly summary: string
  readonly details?: string
  readonly risk: Risk
  /** What it moves or changes, and whether you can undo that. */
  readonly effect: string
  /** Whether it asks for confirmation on a live profile; a script needs --yes. */
  readonly confirmsOnLive: boolean
  readonly operation?: OperationFacts
  readonly arguments: readonly ArgumentFacts[]
  readonly flags: readonly FlagFacts[]
  readonly examples: readonly ExampleFacts[]
  readonly exitCodes: readonly ExitFacts[]
  readonly related: readonly string[]
}

export interface OperationFacts {
  readonly id: string
  readonly method: string
  readonly path: string
  readonly scope: string
  readonly beta: boolean
  /** Whether it takes --idempotency-key and --once. */
  readonly takesIdempotencyKey: boolean
}

export interface ArgumentFacts extends ValueFacts {
  readonly name: string
  readonly required: boolean
  /** The flag that can replace it. */
  readonly orFlag?: string
  /** Never appears in a message; `-` reads it from stdin. */
  readonly secret?: true
  readonly help: string
}

export interface FlagFacts extends ValueFacts {
  /** With its dashes. */
  readonly flag: string
  readonly short?: string
  /** The flag for the opposite. */
  readonly negation?: string
  readonly type: FlagKind
  /** The placeholder for the value in the usage. */
  readonly value?: string
  readonly required: boolean
  readonly repeatable: boolean
  readonly secret?: true
  readonly help: string
  /** The field of the request body that it sets. */
  readonly field?: string
  /** The query parameter that it sets. */
  readonly query?: string
  /** The fields of an object, as dotted paths. */
  readonly parts?: readonly string[]
  readonly environment?: readonly string[]
  /** The help section of a global option. */
  readonly group?: GlobalFlag['group']
}

interface ValueFacts {
  /** All valid values. */
  readonly values?: readonly string[]
  /** Common values. Others are valid too. */
  readonly knownValues?: readonly string[]
}

interface ExampleFacts {
  /** What the example is for. */
  readonly says: string
  /** The whole line as typed. */
  readonly line: string
}

interface ExitFacts {
  readonly code: ExitCode
  readonly meaning: string
}

export interface DescribeOptions {
  readonly noun: Noun | undefined
  /** Body fields that the service requires, as dotted paths. */
  readonly requiredFields: ReadonlySet<string>
}

export function describeCommand(
  spec: CommandSpec,
  { noun, requiredFields }: DescribeOptions,
): CommandDescription {
  const { operation } = spec
  const own = Object.entries(spec.flags ?? {})
  const aliased = noun?.alias === undefined ? undefined : [[noun.alias, ...spec.path.slice(1)].join(' ')]
  return {
    command: spec.path.join(' '),
    ...(aliased === undefined ? {} : { aliases: aliased }),
    usage: ['pay', ...spec.path, usageOf(spec)].join(' '),
    summary: spec.summary,
    ...(spec.details === undefined ? {} : { details: spec.details }),
    risk: riskOf(spec),
    effect: effectOf(spec),
    confirmsOnLive: asksOnLive(spec),
    ...(operation === undefined
      ? {}
      : {
          operation: {
            id: operation.id,
            method: operation.method,
            path: operation.path,
            scope: operation.scope,
            beta: operation.beta,
            takesIdempotencyKey: operation.idempotencyKey,
          },
        }),
    arguments: (spec.args ?? []).map(argumentFacts),
    flags: [
      ...own.map(([name, flag]) => ownFacts(name, flag, requiredFields)),
      ...(takesBody(spec) ? Object.entries(BODY_FLAGS).map(([name, flag]) => globalFacts(name, flag)) : []),
    ],
    examples: spec.examples.map(({ purpose: says, line }) => ({ says, line })),
    exitCodes: exitCodesOf(spec).map((code) => ({ code, meaning: EXIT_MEANINGS[code] })),
    related: spec.related ?? [],
  }
}

/** The flags that every command takes. */
export const globalFlagFacts = (): readonly FlagFacts[] =>
  Object.entries(GLOBAL_FLAGS).map(([name, flag]) => globalFacts(name, flag))

/** What the command moves or changes, and whether you can undo that. */
export function effectOf(spec: CommandSpec): string {
  if (spec.effect !== undefined) return spec.effect
  switch (riskOf(spec)) {
    case 'read':
      return 'Only reads; changes nothing.'
    case 'write':
      return 'Changes data; moves no money.'
    case 'money':
      return 'Moves money or points.'
    case 'destructive':
      return "You can't undo this."
  }
}

function argumentFacts({
  name,
  optional,
  lookup,
  secret,
  help,
  choices,
  suggestions,
}: ArgumentSpec): ArgumentFacts {
  return {
    name,
    required: optional !== true && lookup === undefined,
    ...(lookup === undefined ? {} : { orFlag: `--${lookup.flag}` }),
    ...(secret === true ? { secret } : {}),
    help,
    ...(choices === undefined ? {} : { values: choices }),
    ...(suggestions === undefined ? {} : { knownValues: suggestions }),
  }
}

function ownFacts(name: string, flag: FlagSpec, requiredFields: ReadonlySet<string>): FlagFacts {
  const { kind, value, secret, help, field, query, parts, choices, suggestions } = flag
  const takesNone = kind === 'switch' || kind === 'either'
  return {
    flag: `--${name}`,
    ...(kind === 'either' ? { negation: `--no-${name}` } : {}),
    type: kind,
    ...(takesNone ? {} : { value: value ?? 'VALUE' }),
    required: flag.required === true || (field !== undefined && requiredFields.has(field)),
    repeatable: isRepeatable(kind),
    ...(secret === true ? { secret } : {}),
    help,
    ...(field === undefined ? {} : { field }),
    ...(query === undefined ? {} : { query }),
    ...(parts === undefined ? {} : { parts: Object.keys(parts) }),
    ...(choices === undefined ? {} : { values: choices }),
    ...(suggestions === undefined ? {} : { knownValues: suggestions }),
  }
}

type OptionText = Omit<GlobalFlag, 'group'> & Partial<Pick<GlobalFlag, 'group'>>

function globalFacts(
  name: string,
  { short, value, help, environment, choices, group }: OptionText,
): FlagFacts {
  return {
    flag: `--${name}`,
    ...(short === undefined ? {} : { short: `-${short}` }),
    type: value === undefined ? 'switch' : name === 'set' ? 'texts' : 'text',
    ...(value === undefined ? {} : { value }),
    required: false,
    repeatable: name === 'set',
    help,
    ...(choices === undefined ? {} : { values: choices }),
    ...(environment === undefined ? {} : { environment: environment.split(', ') }),
    ...(group === undefined ? {} : { group }),
  }
}
