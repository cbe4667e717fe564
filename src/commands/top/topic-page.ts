import { layOut, wrapProse, formatRows } from '../../cli/help/help.ts'
import type { Help } from '../../cli/help/help.ts'
import { createProgram } from '../../cli/parse/program.ts'

/**
 * A topic for a terminal of so many columns: its paragraphs are wrapped, its two columns set anew. What is set in and has one
 * column, such as a command, stays as it is; in a pipe all of it does.
 */
export const topicPage = (text: string, columns: number | undefined): string =>
  columns === undefined ? text : layOut(createProgram({}, true), columns, (help) => fitted(text, help))

function fitted(page: string, help: Help): readonly string[] {
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
  return shown
}
