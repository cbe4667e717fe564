/** Where a title stands in front of what it is the title of: a name in a table of cases is none. */
function titleAt(text: string, title: string): number {
  const literal = title.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&')
  return text.search(new RegExp(`(['"])${literal}\\1,\\s*(?:\\{[^}]*\\},\\s*)?(?:async\\b|\\()`))
}

/**
 * Whether a test's source has a test of these names: its group (a `describe` at the top), where it has one, its title,
 * and where it helps the words of one case.
 */
export function isTestThere(source: string, names: readonly string[]): boolean {
  const [first = '', second = '', ...rest] = names
  return source.split(/^(?=(?:describe|test)\b)/m).some((statement) => {
    const at = titleAt(statement, first)
    if (at === -1) return false
    if (statement.startsWith('test')) return rest.length === 0 && hasCase(statement, second)
    // The title of a group is the first of all.
    if (!statement.startsWith('describe') || at !== firstTitleAt(statement)) return false
    const inner = statement.slice(at + first.length)
    const found = second === '' ? -1 : titleAt(inner, second)
    return found !== -1 && rest.length <= 1 && hasCase(casesBefore(inner, found), rest[0] ?? '')
  })
}

const firstTitleAt = (statement: string): number =>
  statement.search(/(['"])(?:(?!\1).)*\1,\s*(?:\{[^}]*\},\s*)?(?:async\b|\()/)

/** The table of cases that stands before a title. */
function casesBefore(group: string, at: number): string {
  const before = group.slice(0, at)
  return before.slice(before.lastIndexOf('\n  test'))
}

const hasCase = (text: string, words: string): boolean =>
  words === '' || text.includes(`'${words}'`) || text.includes(`"${words}"`)
