/** Which rows of a long list are drawn, and where. Browsers limit the height of elements, so very long lists are compressed. */
export interface VirtualList {
  readonly total: number
  readonly rowHeight: number
}

/** Of one element, in pixels; below the limits of all browsers. */
const MOST_HEIGHT = 15_000_000

export const listHeight = ({ total, rowHeight }: VirtualList): number =>
  Math.min(total * rowHeight, MOST_HEIGHT)

/** Where the first drawn row goes: how far the list is scrolled decides, so that compressed rows keep their height. */
export interface VirtualRange {
  /** From 0. */
  readonly first: number
  /** Not included. */
  readonly end: number
  /** The top of row `first`, in pixels from the top of the list. */
  readonly top: number
}

/** `scrolled` and `viewHeight` are in pixels; `scrolled` counts from the top of the list. */
export function visibleRange(
  list: VirtualList,
  scrolled: number,
  viewHeight: number,
  overscan: number,
): VirtualRange {
  const { total, rowHeight } = list
  const at = rowAt(list, scrolled, viewHeight)
  const first = Math.max(0, Math.floor(at) - overscan)
  const end = Math.min(total, Math.ceil(at + viewHeight / rowHeight) + overscan)
  const isCompressed = total * rowHeight > MOST_HEIGHT
  return { first, end, top: isCompressed ? scrolled - (at - first) * rowHeight : first * rowHeight }
}

/** The row, with its fraction, at the top of the view. */
function rowAt(list: VirtualList, scrolled: number, viewHeight: number): number {
  const { total, rowHeight } = list
  const height = listHeight(list)
  const within = Math.min(Math.max(0, scrolled), Math.max(0, height - viewHeight))
  const hidden = height - viewHeight
  return hidden <= 0 ? 0 : (within / hidden) * Math.max(0, total - viewHeight / rowHeight)
}

/** How far to scroll so that a row is in view; undefined if it is. `margin` stays free at the top, for a sticky header. */
export function scrollToRow(
  list: VirtualList,
  row: number,
  scrolled: number,
  viewHeight: number,
  margin: number,
): number | undefined {
  const { total, rowHeight } = list
  const at = rowAt(list, scrolled, viewHeight)
  const shown = viewHeight / rowHeight
  const from = at + margin / rowHeight
  if (row >= from && row + 1 <= at + shown) return undefined
  const target = row < from ? row - margin / rowHeight : row + 1 - shown
  const most = total - shown
  return most <= 0 ? 0 : (Math.max(0, target) / most) * (listHeight(list) - viewHeight)
}
