import type { Store } from '../database/store.ts'
import type { Changes, LogPosition } from './logged-request.ts'

/** The most requests at a time. Those that follow a folder ask again at once after as many. */
export const MAX_CHANGES = 1_000

const START: LogPosition = { number: 0, requestId: '' }

/**
 * The changes after a position; without one, none but the present position. After the log was emptied, everything in it is
 * new.
 */
export function changesAfter({ requests, settings }: Store, after: string | undefined): Changes {
  const mark = settings.changeMark() ?? ''
  const known = /^(\d{1,15})\.([\w-]{0,64})\.([\w-]{0,64})$/.exec(after ?? '')
  const position = { number: Number(known?.[1] ?? 0), requestId: known?.[2] ?? '' }
  const since = after === undefined ? undefined : requests.after(position, MAX_CHANGES)
  const found = since ?? (after === undefined ? undefined : requests.after(START, MAX_CHANGES))
  const { number, requestId } = found?.position ?? requests.position()
  return {
    position: `${number}.${requestId}.${mark}`,
    changed: since === undefined || known?.[3] !== mark,
    requests: found?.entries ?? [],
  }
}
