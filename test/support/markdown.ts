/** A fenced code block. */
export interface Block {
  readonly language: string
  readonly text: string
}

export function blocksOf(markdown: string): readonly Block[] {
  return [...markdown.matchAll(/^```(\w*)\n([\s\S]*?)^```$/gm)].map(([, language = '', text = '']) => ({
    language,
    text,
  }))
}

/** The rows of every table without its header, as cells without surrounding space, `**` and backquotes. */
export function rowsOf(markdown: string): readonly (readonly string[])[] {
  const lines = markdown.split('\n')
  return lines.flatMap((line, at) => {
    const isRow = line.startsWith('|') && !isRule(line) && !isRule(lines[at + 1] ?? '')
    return isRow ? [cellsOf(line)] : []
  })
}

const isRule = (line: string): boolean => /^\|[-|: ]+\|$/.test(line)

const cellsOf = (line: string): readonly string[] =>
  line
    .slice(1, -1)
    .split(/(?<!\\)\|/)
    .map((cell) =>
      cell
        .replaceAll(/\*\*|`/g, '')
        .replaceAll('\\|', '|')
        .trim(),
    )
