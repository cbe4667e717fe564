import { countOf } from '../../page/format.ts'
import { groupThousands } from '../../../text/words.ts'
import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'

interface PagerProps {
  /** What the rows are, such as `sessions`. */
  readonly what: string
  /** The offset of the rows that are shown, while others may be loading. */
  readonly offset: number
  readonly limit: number
  readonly total: number
  readonly onMove: (offset: number) => void
}

/** Which part of a list is shown, and links to the previous and next parts. */
export function Pager({ what, offset, limit, total, onMove }: PagerProps) {
  const last = Math.min(offset + limit, total)
  return (
    <div class="pager" role="group" aria-label={`Pages of ${what}`}>
      <p role="status">
        {total === 0
          ? `No ${what}`
          : `${groupThousands(Math.min(offset + 1, last))} to ${groupThousands(last)} of ${groupThousands(total)}`}
      </p>
      {total <= limit && offset === 0 ? null : (
        <>
          <button type="button" disabled={offset === 0} onClick={() => onMove(Math.max(0, offset - limit))}>
            Previous
          </button>
          <button type="button" disabled={last >= total} onClick={() => onMove(offset + limit)}>
            Next
          </button>
        </>
      )}
    </div>
  )
}

interface NewerProps {
  readonly count: number
  /** What a row is, such as `payment`. */
  readonly noun: string
  readonly onShow: () => void
}

/** How many rows have arrived above a list that keeps its place. */
export const Newer = ({ count, noun, onShow }: NewerProps) =>
  count === 0 ? null : (
    <div class="notice">
      <button type="button" class="primary" onClick={onShow}>
        Show {countOf(count, `newer ${noun}`)}
      </button>
    </div>
  )

/** The `offset` in the address; 0 if there is none. */
export const readOffset = (text = ''): number => (/^\d{1,7}$/.test(text) ? Number(text) : 0)

/** Far enough down to read older rows. */
const SCROLLED_PX = 200

/** Whether the reader is further down the page. */
export function useScrolled(): boolean {
  const isScrolled = useSignal(window.scrollY > SCROLLED_PX)
  useEffect(() => {
    const read = () => (isScrolled.value = window.scrollY > SCROLLED_PX)
    window.addEventListener('scroll', read, { passive: true })
    return () => window.removeEventListener('scroll', read)
  }, [])
  return isScrolled.value
}
