import { widthOf } from './width.ts'

/** A space to wrap at: not between a mark and its word, an amount and its currency, or the dots and digits of a card. */
const BREAK = / (?<!(?:^|[ (])[✓✗…–?!] )(?<!•••• )(?<!\d (?=[A-Z]{3}\b))/

/**
 * Wraps at words; only a single long word exceeds the width. Undefined disables wrapping. Line breaks and indented lines,
 * such as a command to copy, stay as they are.
 */
export const wrapWords = (text: string, width: number | undefined): readonly string[] =>
  text.split('\n').flatMap((line) => {
    if (width === undefined || line.startsWith('  ') || widthOf(line) <= width) return [line]
    const lines = ['']
    let used = 0
    for (const word of line.split(BREAK)) {
      const last = lines.at(-1)
      const needed = widthOf(word)
      if (last !== '' && used + 1 + needed > width) lines.push(word)
      else lines[lines.length - 1] = last === '' ? word : `${last} ${word}`
      used = lines.at(-1) === word ? needed : used + 1 + needed
    }
    return lines
  })
