/** Of stored text, in characters: a page of larger entries has fewer of them, so that it doesn't delay other clients. */
export const MAX_PAGE_SIZE = 1024 * 1024

/** The first rows, at least one if there are any, and whether there are more. */
export function takePage<Row extends { readonly size: number }>(
  rows: Iterable<Row>,
  limit: number,
): { readonly page: Row[]; readonly hasMore: boolean } {
  const page: Row[] = []
  let size = 0
  for (const row of rows) {
    size += row.size
    if (page.length === limit || (page.length > 0 && size > MAX_PAGE_SIZE)) return { page, hasMore: true }
    page.push(row)
  }
  return { page, hasMore: false }
}
