/** How help is laid out: two columns, wrapped to a width. Plain text, no colours: it is read, piped and pasted. */

/** Longer lines are not read well, however wide the terminal is; the first page is made for it (scripts/prerender.mjs). */
export const USUAL_WIDTH = 80
const NARROWEST = 40

/** For a terminal of so many columns; a pipe has none. */
export const helpWidth = (columns: number | undefined): number =>
  Math.min(USUAL_WIDTH, Math.max(NARROWEST, columns ?? USUAL_WIDTH))

/** Names and what they are, below each other; a name that is too long has a line of its own. */
export function twoColumns(rows: readonly (readonly [string, string])[], width: number): readonly string[] {
  const most = Math.floor(width / 2.6)
  const column = Math.min(Math.max(0, ...rows.map(([name]) => name.length)), most) + 4
  return rows.flatMap(([name, words]) => {
    const head = `  ${name}`.padEnd(column)
    const [first = '', ...rest] = wrap(words, width - column)
    const isLong = head.length > column
    return [
      ...(isLong ? [head, `${' '.repeat(column)}${first}`] : [`${head}${first}`]),
      ...rest.map((line) => `${' '.repeat(column)}${line}`),
    ].map((line) => line.trimEnd())
  })
}

/** Lines that are set in stay as they are: commands to copy, and tables. */
export function wrap(text: string, width: number): readonly string[] {
  return text.split('\n').flatMap((paragraph) => {
    if (paragraph.startsWith('  ')) return [paragraph]
    const wrapped: string[] = []
    let line = ''
    for (const word of paragraph.split(' ')) {
      if (line !== '' && line.length + 1 + word.length > width) {
        wrapped.push(line)
        line = word
      } else line = line === '' ? word : `${line} ${word}`
    }
    return [...wrapped, line]
  })
}

/** A heading and what stands below it, a blank line before; nothing at all where there is nothing to say. */
export const section = (title: string, body: readonly string[]): readonly string[] =>
  body.length === 0 ? [] : ['', ...(title === '' ? [] : [title]), ...body]

export const indented = (text: string, width: number): readonly string[] =>
  wrap(text, width - 2).map((line) => `  ${line}`)

export const linesOf = (all: readonly string[]): string => `${all.join('\n')}\n`
