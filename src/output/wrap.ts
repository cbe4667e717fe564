import type { Paint, Tone } from './paint.ts'
import { widthOf } from './width.ts'

/** Not between a mark and its word, an amount and its currency, the dots of a card and its digits. */
const BREAK = / (?<!(?:^|[ (])[✓✗…–?!] )(?<!•••• )(?<!\d (?=[A-Z]{3}\b))/

/** Lines of whole words, none wider than the width unless a word alone is; undefined keeps the text on one line. */
export function wrapWords(text: string, width: number | undefined): readonly string[] {
  if (width === undefined || widthOf(text) <= width) return [text]
  const lines: string[] = []
  let line = ''
  for (const word of text.split(BREAK)) {
    if (line !== '' && widthOf(line) + 1 + widthOf(word) > width) {
      lines.push(line)
      line = word
    } else line = line === '' ? word : `${line} ${word}`
  }
  return [...lines, line]
}

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

/** A label with its words, which are wrapped beside it; the tone is of the words. */
export interface Entry {
  readonly label: string
  readonly text: string | undefined
  readonly tone?: Tone | undefined
  /** Stays on one line, to be copied. */
  readonly isWhole?: true
}

export interface Room {
  readonly paint: Paint
  /** Undefined where nothing is wrapped. */
  readonly width: number | undefined
}

const INDENT = 2
const GAP = 2
/** Beside a label there has to be room for some words. */
const LEAST_WORDS = 24

/** Lines of `  Label  words`, the words below each other; where there is no room beside the labels, below them. Without words, left out. */
export function hangingLines(entries: readonly Entry[], { paint, width }: Room): readonly string[] {
  const filled = entries.flatMap(({ label, text, tone, isWhole }) =>
    text === undefined || text === '' ? [] : [{ label, text, tone, isWhole }],
  )
  const column = Math.max(0, ...filled.map(({ label }) => widthOf(label)))
  const beside = INDENT + (column === 0 ? 0 : column + GAP)
  const isBeside = width === undefined || width - beside >= LEAST_WORDS
  const from = isBeside ? beside : INDENT + GAP
  return filled.flatMap(({ label, text, tone, isWhole }) => {
    const room = width === undefined || isWhole === true ? undefined : Math.max(1, width - from)
    const lines = wrapWords(text, room).map((line) => (tone === undefined ? line : paint(line, tone)))
    const head = ' '.repeat(INDENT) + (label === '' ? '' : paint(label, 'dim'))
    const rest = lines.map((line) => ' '.repeat(from) + line)
    if (!isBeside) return label === '' ? rest : [head, ...rest]
    return [head + ' '.repeat(from - INDENT - widthOf(label)) + (lines[0] ?? ''), ...rest.slice(1)]
  })
}
