import { splitOnce } from '../parse/globals.ts'
import { isRepeatable, takesValue } from '../parse/command-flags.ts'
import { scanLine, typedFlags } from '../parse/scan-line.ts'
import type { TypedFlag } from '../parse/scan-line.ts'
import type { Noun, Tree } from '../command/spec.ts'
import type { ArgumentSpec } from '../command/flags.ts'

/** What belongs at the cursor. */
export type Place =
  | { readonly kind: 'noun' }
  | { readonly kind: 'verb'; readonly noun: Noun }
  | { readonly kind: 'flag'; readonly flags: readonly TypedFlag[] }
  /** `prefix` is the part of the same word before the value: `--output=`, `SETTLED,`. */
  | {
      readonly kind: 'value'
      readonly flag: TypedFlag
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
  const [nounAt, verbAt] = scanLine(before).positions
  const word = nounAt === undefined ? undefined : (before[nounAt] ?? '')
  const noun = Object.entries(tree).find(([name, { alias }]) => name === word || alias === word)?.[1]
  const verb = verbAt === undefined ? undefined : (before[verbAt] ?? '')
  const load =
    noun?.load ??
    (verb !== undefined && Object.hasOwn(noun?.verbs ?? {}, verb) ? noun?.verbs?.[verb] : undefined)
  const spec = load === undefined ? undefined : (await load()).command
  const flags = typedFlags(spec)
  const { given, positions, pending, isPastFlags } = scanLine(before, flags)
  const at = (place: Place): CursorContext => ({ place, given })
  if (pending !== undefined) return at(valuePlace(pending, '', current))
  if (current.startsWith('-') && !isPastFlags) {
    const [typedFlag, inline] = splitOnce(current, '=')
    const flag = flags.find(({ typed, kind }) => typed === typedFlag && takesValue(kind))
    if (inline !== undefined)
      return at(flag === undefined ? { kind: 'nothing' } : valuePlace(flag, `${typedFlag}=`, inline))
    return at({
      kind: 'flag',
      flags: flags.filter(({ name, kind }) => isRepeatable(kind) || !given.has(name)),
    })
  }
  if (nounAt === undefined) return at({ kind: 'noun' })
  if (noun === undefined) return at({ kind: 'nothing' })
  if (spec === undefined) return at(verbAt === undefined ? { kind: 'verb', noun } : { kind: 'nothing' })
  const commandIsAt = noun.load === undefined ? [nounAt, verbAt] : [nounAt]
  const argument = spec.args?.[positions.filter((position) => !commandIsAt.includes(position)).length]
  return at(argument === undefined ? { kind: 'nothing' } : { kind: 'argument', argument })
}

function valuePlace(flag: TypedFlag, typedFlag: string, typed: string): Place {
  const comma = flag.value?.endsWith(',…') === true ? typed.lastIndexOf(',') + 1 : 0
  return { kind: 'value', flag, prefix: `${typedFlag}${typed.slice(0, comma)}`, typed: typed.slice(comma) }
}
