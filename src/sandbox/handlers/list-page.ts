import { takePage } from '../domain/store/take-page.ts'
import type { ListQuery } from './list-query.ts'

type Direction = 'older' | 'newer'

interface PageSource<Position, Row, Shown> {
  /** The rows beyond the position, nearest first, read as they are asked for. */
  readonly find: (
    filter: ListQuery<Position>['filter'],
    position: Position | undefined,
    limit: number,
  ) => Iterable<Row>
  readonly show: (row: Row) => Shown
  readonly cursorFrom: (row: Row, direction: Direction) => string
}

/** One page of a list, newest first, with the cursors of the pages around it. */
export function listPage<
  Position extends { readonly direction: Direction },
  Row extends { readonly size: number },
  Shown,
>(
  { filter, position, limit }: ListQuery<Position>,
  { find, show, cursorFrom }: PageSource<Position, Row, Shown>,
) {
  const isNewer = position?.direction === 'newer'
  // One more than requested, to see whether there is another page.
  const { page, hasMore } = takePage(find(filter, position, limit + 1), limit)
  if (isNewer) page.reverse()
  const [first, last] = [page[0], page.at(-1)]
  const hasOlder = isNewer || hasMore
  const hasNewer = isNewer ? hasMore : position !== undefined
  return {
    data: page.map(show),
    nextCursor: hasOlder && last !== undefined ? cursorFrom(last, 'older') : undefined,
    prevCursor: hasNewer && first !== undefined ? cursorFrom(first, 'newer') : undefined,
  }
}
