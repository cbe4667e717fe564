import { globalFlags, isRepeatable, ownFlags, takesValue, usageOf } from '../parse/command-flags.ts'
import type { AnyFlag } from '../parse/command-flags.ts'
import { riskOf } from '../command/spec.ts'
import type { CommandSpec, Noun } from '../command/spec.ts'
import type { ArgumentSpec } from '../command/flags.ts'
import { EXIT } from '../../errors.ts'
import type { ExitCode } from '../../errors.ts'

/** Everything a program needs to know to run a command. JSON has no fields without a value. */
export type CommandDescription = ReturnType<typeof describeCommand>

interface DescribeOptions {
  readonly noun: Noun | undefined
  /** Body fields that the service requires, as dotted paths. */
  readonly requiredFields: ReadonlySet<string>
}

export function describeCommand(spec: CommandSpec, { noun, requiredFields }: DescribeOptions) {
  const { path, operation, args = [], summary, details, examples, related = [] } = spec
  return {
    /** What to type after `pay`. */
    command: path.join(' '),
    aliases: noun?.alias === undefined ? undefined : [[noun.alias, ...path.slice(1)].join(' ')],
    usage: ['pay', ...path, usageOf(spec)].join(' '),
    summary,
    details,
    risk: riskOf(spec),
    effect: effectOf(spec),
    confirmsOnLive: asksOnLive(spec),
    operation: operation && {
      id: operation.id,
      method: operation.method,
      path: operation.path,
      scope: operation.scope,
      beta: operation.beta,
      /** Whether it takes --idempotency-key and --once. */
      takesIdempotencyKey: operation.idempotencyKey,
    },
    arguments: args.map(argumentFacts),
    flags: ownFlags(spec).map(([name, flag]) => ({
      ...flagFacts(name, flag),
      required: flag.required === true || (flag.field !== undefined && requiredFields.has(flag.field)),
    })),
    examples: examples.map(({ purpose: says, line }) => ({ says, line })),
    exitCodes: exitCodesOf(spec).map((code) => ({ code, meaning: EXIT_MEANINGS[code] })),
    related,
  }
}

/** The flags that every command takes. */
export const globalFlagFacts = () =>
  globalFlags().map(([name, flag]) => ({ ...flagFacts(name, flag), group: flag.group }))

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

const argumentFacts = ({
  name,
  optional,
  lookup,
  secret,
  help,
  choices: values,
  suggestions: knownValues,
}: ArgumentSpec) => ({
  name,
  required: optional !== true && lookup === undefined,
  orFlag: lookup && `--${lookup.flag}`,
  secret,
  help,
  values,
  knownValues,
})

const flagFacts = (name: string, flag: AnyFlag) => ({
  flag: `--${name}`,
  short: flag.short && `-${flag.short}`,
  negation: flag.kind === 'either' ? `--no-${name}` : undefined,
  type: flag.kind,
  value: takesValue(flag.kind) ? (flag.value ?? 'VALUE') : undefined,
  required: false,
  repeatable: isRepeatable(flag.kind),
  secret: flag.secret,
  help: flag.help,
  /** The field of the request body that it sets. */
  field: flag.field,
  /** The query parameter that it sets. */
  query: flag.query,
  /** The fields of an object, as dotted paths. */
  parts: flag.parts && Object.keys(flag.parts),
  values: flag.choices,
  knownValues: flag.suggestions,
  environment: flag.environment?.split(', '),
})

/** The meaning of each exit code, on one line. */
export const EXIT_MEANINGS: Readonly<Record<ExitCode, string>> = {
  0: 'done',
  1: 'a bug in pay',
  2: 'usage: bad flag or value, invalid body, something missing, not confirmed; nothing was sent',
  3: 'the service refused it',
  4: 'no key, or the key was refused',
  5: 'not found',
  6: 'its state forbids it, an earlier write is in doubt, or it was done before: no new effect',
  7: 'rate limited after all retries',
  8: 'accepted, but not finished yet',
  9: 'could not connect: nothing was sent',
  10: 'outcome unknown: it may have been done; pay ops resolve finds out',
  11: 'the service failed, and nothing was done',
  12: "blocked by the profile's own limits",
  13: 'declined or failed',
  14: 'a bulk run with rows that failed, or that ended early',
  130: 'interrupted, with nothing in doubt',
  143: 'terminated, with nothing in doubt',
}

/** The exit codes that a script has to handle: those of the operation, and those that the command adds. */
export function exitCodesOf(spec: CommandSpec): readonly ExitCode[] {
  const codes = new Set<ExitCode>([EXIT.done, EXIT.usage, ...(spec.exitCodes ?? [])])
  const { operation } = spec
  if (operation !== undefined) {
    const { rejected, auth, rateLimited, notConnected, serverFault } = EXIT
    for (const code of [rejected, auth, rateLimited, notConnected, serverFault]) codes.add(code)
    if (operation.path.includes('{')) codes.add(EXIT.notFound)
    if (operation.notFinished !== undefined) codes.add(EXIT.notFinished)
    if (operation.verdict === 'payment' || operation.verdict === 'refund') codes.add(EXIT.declined)
    if (operation.risk !== 'read')
      for (const code of [EXIT.conflict, EXIT.outcomeUnknown, EXIT.limit]) codes.add(code)
  }
  return [...codes].toSorted((one, other) => one - other)
}

/** Whether the command asks for confirmation on a live profile. */
export const asksOnLive = ({ operation, asksOnLive: asks }: CommandSpec): boolean =>
  asks === true || operation?.risk === 'money' || operation?.risk === 'destructive'
