import { BODY_FLAGS, GLOBAL_FLAGS, splitOnce } from '../parse/globals.ts'
import type { GlobalFlag } from '../parse/globals.ts'
import { isRepeatable, takesBody } from '../parse/command-flags.ts'
import type { CommandSpec, Noun, Tree } from '../command/spec.ts'
import type { ArgumentSpec, FlagKind, ValueSpec } from '../command/flags.ts'

/** A flag for completion. */
export interface CompletableFlag extends ValueSpec {
  /** As typed: `--amount`, `--no-final`. */
  readonly typed: string
  readonly short?: string
  readonly help: string
  readonly takesValue: boolean
  readonly repeats: boolean
  readonly secret?: true
  readonly kind?: FlagKind
  /** Whether it takes several values, separated by commas. */
  readonly isList: boolean
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
    const flag = flags.find(({ typed, takesValue }) => typed === typedFlag && takesValue)
    if (inline !== undefined)
      return at(flag === undefined ? { kind: 'nothing' } : valuePlace(flag, `${typedFlag}=`, inline))
    return at({
      kind: 'flag',
      flags: flags.filter(({ typed, repeats }) => repeats || !given.has(nameOf(typed))),
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
  const comma = flag.isList ? typed.lastIndexOf(',') + 1 : 0
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
      const flag = flags.find(({ typed, short }) => typed === typedFlag || short === typedFlag)
      given.set(nameOf(flag?.typed ?? typedFlag), inline ?? '')
      if (flag?.takesValue === true && inline === undefined) pending = flag
    }
  }
  return { given, positions, pending, isPastFlags }
}

/** The name without dashes. `--no-final` and `--final` have the same name. */
const nameOf = (typed: string): string => typed.replace(/^--?(?:no-)?/, '')

function flagsOf(spec: CommandSpec | undefined): readonly CompletableFlag[] {
  const own = Object.entries(spec?.flags ?? {}).flatMap(([name, flag]): readonly CompletableFlag[] => {
    const takesValue = flag.kind !== 'switch' && flag.kind !== 'either'
    const suggestions: CompletableFlag = {
      ...flag,
      typed: `--${name}`,
      takesValue,
      repeats: isRepeatable(flag.kind),
      isList: flag.value?.endsWith(',…') === true,
    }
    return flag.kind === 'either' ? [suggestions, { ...suggestions, typed: `--no-${name}` }] : [suggestions]
  })
  const body = spec !== undefined && takesBody(spec) ? Object.entries(BODY_FLAGS) : []
  const globals: readonly (readonly [string, GlobalFlag])[] = Object.entries(GLOBAL_FLAGS)
  return [
    ...own,
    ...body.map(([name, flag]) => globalFlag(name, flag)),
    ...globals
      .filter(([name]) => spec?.flags?.[name] === undefined)
      .map(([name, flag]) => globalFlag(name, flag)),
  ]
}

function globalFlag(name: string, flag: Omit<GlobalFlag, 'group' | 'environment'>): CompletableFlag {
  const { short, value, help, choices, suggestions, from } = flag
  return {
    typed: `--${name}`,
    ...(short === undefined ? {} : { short: `-${short}` }),
    help,
    ...(choices === undefined ? {} : { choices }),
    ...(suggestions === undefined ? {} : { suggestions }),
    ...(from === undefined ? {} : { from }),
    takesValue: value !== undefined,
    repeats: name === 'set',
    isList: false,
  }
}
