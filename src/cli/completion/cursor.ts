import { splitOnce } from '../parse/globals.ts'
import { allFlags, isRepeatable, takesValue } from '../parse/command-flags.ts'
import type { AnyFlag } from '../parse/command-flags.ts'
import type { CommandSpec, Noun, Tree } from '../command/spec.ts'
import type { ArgumentSpec } from '../command/flags.ts'

/** A flag for completion. */
export interface CompletableFlag extends AnyFlag {
  /** As typed: `--amount`, `--no-final`. */
  readonly typed: string
}

/** What belongs at the cursor. */
export type Place =
  | { readonly kind: 'noun' }
  | { readonly kind: 'verb'; readonly noun: Noun }
  | { readonly kind: 'flag'; readonly flags: readonly CompletableFlag[] }
  /** `prefix` is the part of the same word before the value: `--output=`, `SETTLED,`. */
  | {
      readonly kind: 'value'
      readonly flag: CompletableFlag
      readonly prefix: string
      readonly typed: string
    }
  | { readonly kind: 'argument'; readonly argument: ArgumentSpec }
  | { readonly kind: 'nothing' }

export interface CursorContext {
  readonly place: Place
  /** The values of the flags before the cursor, by name without dashes. */
  readonly given: ReadonlyMap<string, string>
}

/** Determines what `current` can be, given the words before it. Loads only the named command. */
export async function findPlace(
  tree: Tree,
  before: readonly string[],
  current: string,
): Promise<CursorContext> {
  const [nounAt, verbAt] = scanWords(before, flagsOf(undefined)).positions
  const word = nounAt === undefined ? undefined : (before[nounAt] ?? '')
  const noun = Object.entries(tree).find(([name, { alias }]) => name === word || alias === word)?.[1]
  const verb = verbAt === undefined ? undefined : (before[verbAt] ?? '')
  const load =
    noun?.load ??
    (verb !== undefined && Object.hasOwn(noun?.verbs ?? {}, verb) ? noun?.verbs?.[verb] : undefined)
  const spec = load === undefined ? undefined : (await load()).command
  const flags = flagsOf(spec)
  const { given, positions, pending, isPastFlags } = scanWords(before, flags)
  const at = (place: Place): CursorContext => ({ place, given })
  if (pending !== undefined) return at(valuePlace(pending, '', current))
  if (current.startsWith('-') && !isPastFlags) {
    const [typedFlag, inline] = splitOnce(current, '=')
    const flag = flags.find(({ typed, kind }) => typed === typedFlag && takesValue(kind))
    if (inline !== undefined)
      return at(flag === undefined ? { kind: 'nothing' } : valuePlace(flag, `${typedFlag}=`, inline))
    return at({
      kind: 'flag',
      flags: flags.filter(({ typed, kind }) => isRepeatable(kind) || !given.has(nameOf(typed))),
    })
  }
  if (nounAt === undefined) return at({ kind: 'noun' })
  if (noun === undefined) return at({ kind: 'nothing' })
  if (spec === undefined) return at(verbAt === undefined ? { kind: 'verb', noun } : { kind: 'nothing' })
  const commandIsAt = noun.load === undefined ? [nounAt, verbAt] : [nounAt]
  const argument = spec.args?.[positions.filter((position) => !commandIsAt.includes(position)).length]
  return at(argument === undefined ? { kind: 'nothing' } : { kind: 'argument', argument })
}

function valuePlace(flag: CompletableFlag, typedFlag: string, typed: string): Place {
  const comma = flag.value?.endsWith(',…') === true ? typed.lastIndexOf(',') + 1 : 0
  return { kind: 'value', flag, prefix: `${typedFlag}${typed.slice(0, comma)}`, typed: typed.slice(comma) }
}

function scanWords(before: readonly string[], flags: readonly CompletableFlag[]) {
  const given = new Map<string, string>()
  const positions: number[] = []
  let pending: CompletableFlag | undefined
  let isPastFlags = false
  for (const [index, word] of before.entries()) {
    if (pending !== undefined) {
      given.set(nameOf(pending.typed), word)
      pending = undefined
    } else if (word === '--' && !isPastFlags) isPastFlags = true
    else if (isPastFlags || !word.startsWith('-') || word === '-') positions.push(index)
    else {
      const [typedFlag, inline] = splitOnce(word, '=')
      const flag = flags.find(({ typed, short }) => typed === typedFlag || `-${short}` === typedFlag)
      given.set(nameOf(flag?.typed ?? typedFlag), inline ?? '')
      if (flag !== undefined && takesValue(flag.kind) && inline === undefined) pending = flag
    }
  }
  return { given, positions, pending, isPastFlags }
}

/** The name without dashes. `--no-final` and `--final` have the same name. */
const nameOf = (typed: string): string => typed.replace(/^--?(?:no-)?/, '')

const flagsOf = (spec: CommandSpec | undefined): readonly CompletableFlag[] =>
  allFlags(spec).flatMap(([name, flag]) =>
    (flag.kind === 'either' ? [name, `no-${name}`] : [name]).map((one) => ({ ...flag, typed: `--${one}` })),
  )
