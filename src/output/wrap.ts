import { widthOf } from './width.ts'

/** Not between a mark and its word, an amount and its currency, the dots of a card and its digits. */
const BREAK = / (?<!(?:^|[ (])[✓✗…–?!] )(?<!•••• )(?<!\d (?=[A-Z]{3}\b))/

/**
 * Lines of whole words, none wider than the width unless a word alone is; undefined keeps them as they are. Line breaks
 * stay, and so does a line that is set in, such as a command to copy.
 */
export const wrapWords = (text: string, width: number | undefined): readonly string[] =>
  text.split('\n').flatMap((line) => {
    if (width === undefined || line.startsWith('  ') || widthOf(line) <= width) return [line]
    const lines = ['']
    for (const word of line.split(BREAK)) {
      const longer = lines.at(-1) === '' ? word : `${lines.at(-1)} ${word}`
      if (lines.at(-1) === '' || widthOf(longer) <= width) lines[lines.length - 1] = longer
      else lines.push(word)
    }
    return lines
  })

/** A line of shell, broken at its flags where it is too wide: each but the last ends with a backslash, so that it can be copied whole. */
export function wrapCommand(command: string, width: number | undefined): readonly string[] {
  if (width === undefined || widthOf(command) <= width) return [command]
  const lines: string[] = []
  let line = ''
  for (const part of command.split(/ (?=--)/)) {
    if (line !== '' && widthOf(line) + widthOf(part) + ' '.length + CONTINUED.length > width) {
      lines.push(`${line}${CONTINUED}`)
      line = `  ${part}`
    } else line = line === '' ? part : `${line} ${part}`
  }
  return [...lines, line]
}

const CONTINUED = ' \\'
