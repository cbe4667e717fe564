/**
 * The cursor of the next page, which some services give as a number. Undefined at the end of a list; null if it is neither text nor
 * a whole number, so that the next page can't be asked for.
 */
export function nextCursorIn(page: Readonly<Record<string, unknown>>): string | null | undefined {
  const { nextCursor: cursor } = page
  if (cursor === undefined || cursor === null || cursor === '') return undefined
  if (typeof cursor === 'string') return cursor
  return typeof cursor === 'bigint' || (typeof cursor === 'number' && Number.isInteger(cursor))
    ? String(cursor)
    : null
}
