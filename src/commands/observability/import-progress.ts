import type { Counts } from '../../bulk/counts.ts'
import type { Input } from '../../bulk/input.ts'
import type { Invocation } from '../../cli/invocation.ts'

const LINE_MS = 5_000

/** A line every few seconds. */
export function progressOn({ context, note }: Invocation, source: Input) {
  let shownMs = context.now().getTime()
  return {
    show: (counts: Counts) => {
      const nowMs = context.now().getTime()
      if (nowMs - shownMs < LINE_MS) return
      shownMs = nowMs
      const share = source.size === undefined ? '' : ` (${Math.floor((100 * source.bytesRead()) / source.size)} %)`
      void note(`${counts.rows} rows${share}, ${counts.failed} failed, ${counts.unknown} unknown`)
    },
    end: async () => {},
  }
}
