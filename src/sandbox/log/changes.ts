import type { LoggedRequest, LogPosition, RequestLogStore } from './logged-request.ts'

/** What happened in a folder, whichever process did it. */
export interface Changes {
  /** Ask with it next time. */
  readonly position: string
  /** Whether data changed without a logged request: the clock, faults, settings, or an event that was due. */
  readonly changed: boolean
  /** The requests that arrived, oldest first. */
  readonly requests: readonly LoggedRequest[]
}

interface ChangeStore {
  readonly requests: RequestLogStore
  readonly settings: { changeMark(): string | undefined }
}

/** Those that follow a folder ask again at once after as many requests. */
export const MAX_CHANGES = 1_000

const START: LogPosition = { number: 0, requestId: '' }

/**
 * The changes after a position; without one, none but the present position. After the log was emptied, everything in it is
 * new.
 */
export function changesAfter({ requests, settings }: ChangeStore, after: string | undefined): Changes {
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
