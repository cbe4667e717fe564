import type { ReadablePlace, RecordPosition, WholeRecord } from '../domain/records.ts'
import type { Store } from '../database/store.ts'
import { writeCursor } from './list-query.ts'
import type { ListName, ListQuery } from './list-query.ts'

/** Of stored text, in bytes: a page of larger entries has fewer of them, so that it doesn't delay other clients. */
const MAX_PAGE_SIZE = 1024 * 1024

/** One page of a list, newest first, with the cursors of the pages around it. */
export function listPage<Shown>(
  list: ListName,
  { filter, position, limit }: ListQuery,
  records: Pick<Store['records'], 'places' | 'read'>,
  show: (whole: WholeRecord) => Shown,
) {
  const isNewer = position?.direction === 'newer'
  // One more than requested, to see whether there is another page.
  const found = records.places(filter, position, limit + 1)
  const page = found.slice(0, fitting(found.slice(0, limit)))
  const hasMore = page.length < found.length
  if (isNewer) page.reverse()
  const [first, last] = [page[0], page.at(-1)]
  const hasOlder = isNewer || hasMore
  const hasNewer = isNewer ? hasMore : position !== undefined
  const cursorFrom = (place: ReadablePlace, direction: RecordPosition['direction']) =>
    writeCursor(list, { direction, place })
  return {
    data: page.map((place) => show(records.read(place))),
    nextCursor: hasOlder && last !== undefined ? cursorFrom(last, 'older') : undefined,
    prevCursor: hasNewer && first !== undefined ? cursorFrom(first, 'newer') : undefined,
  }
}

/** How many records fit on a page; at least one. */
function fitting(places: readonly ReadablePlace[]): number {
  let total = 0
  for (const [index, { size }] of places.entries()) {
    total += size
    if (total > MAX_PAGE_SIZE) return Math.max(index, 1)
  }
  return places.length
}
