import { layOut, wrapProse, formatRows } from '../../cli/help/help.ts'
import type { Help } from '../../cli/help/help.ts'
import { createProgram } from '../../cli/parse/program.ts'

/**
 * Fits a topic to the width of a terminal: wraps its paragraphs and lays out its two-column lists again. Indented lines
 * with one column, such as commands, stay as they are. In a pipe, so does the whole topic.
 */
export const topicPage = (text: string, columns: number | undefined): string =>
  columns === undefined ? text : layOut(createProgram({}, true), columns, (help) => fitToWidth(text, help))

function fitToWidth(page: string, help: Help): readonly string[] {
  const shown: string[] = []
  let paragraph: string[] = []
  let rows: (readonly [string, string])[] = []
  const flush = (): void => {
    if (paragraph.length > 0) shown.push(...wrapProse(paragraph.join(' '), help))
    if (rows.length > 0) shown.push(...formatRows(rows, help))
    paragraph = []
    rows = []
  }
  for (const line of page.trimEnd().split('\n')) {
    const [, name, description] = /^ {2}(\S(?: ?[^ ])*) {2,}(\S.*)$/.exec(line) ?? []
    const continuation = /^ {8,}(\S.*)$/.exec(line)?.[1]
    const last = rows.at(-1)
    if (name !== undefined && description !== undefined) {
      if (rows.length === 0) flush()
      rows.push([name, description])
    } else if (continuation !== undefined && last !== undefined)
      rows[rows.length - 1] = [last[0], `${last[1]} ${continuation}`]
    else if (continuation !== undefined && shown.at(-1)?.startsWith('  ') === true)
      // The line before is a command that leaves no room for its description, which follows here.
      rows.push([shown.pop()?.trim() ?? '', continuation])
    else if (line === '' || line.startsWith('  ')) {
      flush()
      shown.push(line)
    } else {
      if (rows.length > 0) flush()
      paragraph.push(line)
    }
  }
  flush()
  return shown
}
