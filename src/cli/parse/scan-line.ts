import { takesValue, typedFlags } from './command-flags.ts'
import type { TypedFlag } from './command-flags.ts'

/**
 * The words of a line, sorted but not checked. Commander parses a line; this is for what it can't give: the help that an
 * incorrect line asks for, the format of its error, and the place of the cursor in an unfinished line.
 */
export interface ScannedLine {
  readonly words: readonly string[]
  /** The values of the flags, by name without dashes; empty for a switch. */
  readonly given: ReadonlyMap<string, string>
  /** The indices of the words that are neither flags nor their values. */
  readonly positions: readonly number[]
  /** The flag at the end of the line, if its value is still to come. */
  readonly pending: TypedFlag | undefined
  /** Whether the line has the `--` after which nothing is a flag. */
  readonly isPastFlags: boolean
  /** The help page that the line asks for, anywhere: `--reason --help` never becomes the reason of a refund. */
  readonly help: 'short' | 'whole' | undefined
}

/** Scans a line with the flags that it can have. Until its command is known, these are the flags of every command. */
export function scanLine(
  words: readonly string[],
  flags: readonly TypedFlag[] = typedFlags(undefined),
): ScannedLine {
  const given = new Map<string, string>()
  const positions: number[] = []
  let pending: TypedFlag | undefined
  let isPastFlags = false
  let help: ScannedLine['help']
  for (const [index, word] of words.entries()) {
    const [name, inline] = splitOnce(word, '=')
    const flag = flags.find(({ typed, short }) => typed === name || `-${short}` === name)
    // The name of a flag is never the value of the flag before it.
    if (pending !== undefined && flag === undefined) {
      given.set(pending.name, word)
      pending = undefined
    } else if (isPastFlags || !word.startsWith('-') || word === '-') positions.push(index)
    else if (word === '--') isPastFlags = true
    else {
      const joined = flag === undefined ? joinedValue(word, flags) : undefined
      given.set(joined?.name ?? flag?.name ?? name.replace(/^-+/, ''), joined?.value ?? inline ?? '')
      pending = flag !== undefined && takesValue(flag.kind) && inline === undefined ? flag : undefined
      if (word === '--help') help = 'whole'
      else if (word === '-h') help ??= 'short'
    }
  }
  return { words, given, positions, pending, isPastFlags, help }
}

/** The value in the same word as a short flag: `-ojson`. */
function joinedValue(
  word: string,
  flags: readonly TypedFlag[],
): { readonly name: string; readonly value: string } | undefined {
  const flag = flags.find(
    ({ short, kind }) => takesValue(kind) && short !== undefined && word.startsWith(`-${short}`),
  )
  return flag === undefined ? undefined : { name: flag.name, value: word.slice(2) }
}

/** Splits a text at the first separator. Without one, the second part is undefined. */
export function splitOnce(text: string, separator: string): readonly [string, string | undefined] {
  const at = text.indexOf(separator)
  return at === -1 ? [text, undefined] : [text.slice(0, at), text.slice(at + separator.length)]
}
