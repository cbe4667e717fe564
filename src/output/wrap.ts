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

/** Breaks a shell command before its flags with trailing backslashes, so that it can be copied. */
export function wrapCommand(command: string, width: number | undefined): readonly string[] {
  if (width === undefined || widthOf(command) <= width) return [command]
  const lines: string[] = []
  let line = ''
  for (const part of command.split(/ (?=--)/)) {
    if (line !== '' && widthOf(line) + widthOf(part) + ' '.length + CONTINUATION.length > width) {
      lines.push(`${line}${CONTINUATION}`)
      line = `  ${part}`
    } else line = line === '' ? part : `${line} ${part}`
  }
  return [...lines, line]
}

const CONTINUATION = ' \\'
