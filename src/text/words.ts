/**
 * A count with its word: `1 row`, `2 rows`. A count may be grouped, as `1,234`. `many` is for words whose plural is more
 * than an added `s`.
 */
export const pluralize = (count: number | string, one: string, many?: string): string =>
  `${count} ${agree(count, one, many)}`

/** The form of a word that agrees with a count: `is` or `are`, `row` or `rows`. */
export const agree = (count: number | string, one: string, many = `${one}s`): string =>
  String(count) === '1' ? one : many

/** A number as `1,234`. Without `Intl`, whose first use takes 50 ms. */
export const groupThousands = (number: number | string): string =>
  String(number).replace(
    /^(\d{1,3})((?:\d{3})*)$/,
    (_, first: string, rest: string) => first + rest.replaceAll(/\d{3}/g, ',$&'),
  )

const MAX_NAMED_ROWS = 5

/** Rows by their numbers: `rows 2, 5 and 9`; of many, the first ones. `count`: how many there are, if `rows` are only the first. */
export function rowsInWords(rows: readonly number[], count = rows.length): string {
  const named = rows.slice(0, MAX_NAMED_ROWS)
  const last = count > named.length ? 'others' : named.pop()
  return `${agree(count, 'row')} ${named.length === 0 ? '' : `${named.join(', ')} and `}${last}`
}

export const capitalize = (words: string): string => words.charAt(0).toUpperCase() + words.slice(1)

/** The words with their first letter in lower case, for the middle of a sentence. */
export const lowerFirst = (words: string): string => words.charAt(0).toLowerCase() + words.slice(1)

export const withFullStop = (words: string): string => (words.endsWith('.') ? words : `${words}.`)
