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
    const isLong = name.length + 4 > column
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

/**
 * A page that was laid out by hand, for a terminal of another width: its paragraphs are wrapped, its two columns set
 * anew. What is set in and has one column, such as a command, stays as it is.
 */
export function fitted(page: string, width: number): string {
  const shown: string[] = []
  let paragraph: string[] = []
  let rows: (readonly [string, string])[] = []
  const flush = (): void => {
    if (paragraph.length > 0) shown.push(...wrap(paragraph.join(' '), width))
    if (rows.length > 0) shown.push(...twoColumns(rows, width))
    paragraph = []
    rows = []
  }
  for (const line of page.trimEnd().split('\n')) {
    const [, name, words] = /^ {2}(\S.*?) {2,}(\S.*)$/.exec(line) ?? []
    const more = /^ {8,}(\S.*)$/.exec(line)?.[1]
    const last = rows.at(-1)
    if (name !== undefined && words !== undefined) {
      if (rows.length === 0) flush()
      rows.push([name, words])
    } else if (more !== undefined && last !== undefined)
      rows[rows.length - 1] = [last[0], `${last[1]} ${more}`]
    else if (more !== undefined && shown.at(-1)?.startsWith('  ') === true)
      // The words of a command that has a line of its own.
      rows.push([shown.pop()?.trim() ?? '', more])
    else if (line === '' || line.startsWith('  ')) {
      flush()
      shown.push(line)
    } else {
      if (rows.length > 0) flush()
      paragraph.push(line)
    }
  }
  flush()
  return linesOf(shown)
}
