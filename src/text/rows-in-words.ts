const MAX_NAMED_ROWS = 5

/** `rows 2, 5 and 9`, by their numbers; of many, the first ones. `count`: how many there are, if `rows` are only the first. */
export function rowsInWords(rows: readonly number[], count = rows.length): string {
  const named = rows.slice(0, MAX_NAMED_ROWS)
  const last = count > named.length ? 'others' : named.pop()
  return `row${count === 1 ? '' : 's'} ${named.length === 0 ? '' : `${named.join(', ')} and `}${last}`
}
