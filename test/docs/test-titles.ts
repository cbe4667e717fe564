/** The position of a title before its function; the same text in a table of cases does not count. */
function titleAt(text: string, title: string): number {
  const literal = title.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&')
  return text.search(new RegExp(`(['"])${literal}\\1,\\s*(?:\\{[^}]*\\},\\s*)?(?:async\\b|\\()`))
}

/**
 * Whether a test file has a test with these names: its top-level `describe` if it has one, its title, and optionally the
 * text of one case of its table.
 */
export function isTestThere(source: string, names: readonly string[]): boolean {
  const [first = '', second = '', ...rest] = names
  return source.split(/^(?=(?:describe|test)\b)/m).some((statement) => {
    const at = titleAt(statement, first)
    if (at === -1) return false
    if (statement.startsWith('test')) return rest.length === 0 && hasCase(statement, second)
    // The first title in a group is its own.
    if (!statement.startsWith('describe') || at !== firstTitleAt(statement)) return false
    const inner = statement.slice(at + first.length)
    const found = second === '' ? -1 : titleAt(inner, second)
    return found !== -1 && rest.length <= 1 && hasCase(casesBefore(inner, found), rest[0] ?? '')
  })
}

const firstTitleAt = (statement: string): number =>
  statement.search(/(['"])(?:(?!\1).)*\1,\s*(?:\{[^}]*\},\s*)?(?:async\b|\()/)

/** The table of cases before a title. */
function casesBefore(group: string, at: number): string {
  const before = group.slice(0, at)
  return before.slice(before.lastIndexOf('\n  test'))
}

const hasCase = (text: string, words: string): boolean =>
  words === '' || text.includes(`'${words}'`) || text.includes(`"${words}"`)
