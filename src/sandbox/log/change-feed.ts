import type { LoggedRequest, LogPosition, RequestLogStore } from './logged-request.ts'

/** A change that listeners of a folder receive. `position` resumes after it. */
export type Change =
  | { readonly kind: 'requests'; readonly position: string; readonly entries: readonly LoggedRequest[] }
  /** Data changed without a logged request: the clock, faults, settings, or an event that was due. */
  | { readonly kind: 'changed'; readonly position: string }
  /** The position is unknown or its part of the log is gone: anything may have changed. */
  | { readonly kind: 'resync'; readonly position: string }

export interface ChangeListener {
  /** The next change, or undefined until `onChange` is called again. */
  next(): Change | undefined
  close(): void
}

/** Reports what every process does to a folder. Does nothing while there are no listeners. */
export interface ChangeFeed {
  /**
   * Starts after `position`, or with the present. The first change is never undefined: what happened in between without
   * a logged request is unknown.
   */
  listen(position: string | undefined, onChange: () => void): ChangeListener
}

export interface ChangeSource {
  /** Differs after each commit of this process or another one. Has to be cheap: it is compared several times a second. */
  revision(): string
  /** Reads a snapshot, without a lock. */
  read<T>(work: (store: { readonly requests: RequestLogStore; readonly settings: ChangeMarks }) => T): T
}

interface ChangeMarks {
  /** Replaced whenever data changes without a logged request. */
  changeMark(): string | undefined
}

/** SQLite reports the commits of other processes only on request. */
const POLL_MS = 200
/** Under load, each event carries the requests of this time. */
const COALESCE_MS = 25
const MAX_ENTRIES = 200

export interface OpenChangeFeed extends ChangeFeed {
  /** Call it after this process has committed. */
  committed(): void
  close(): void
}

export function changeFeed(source: ChangeSource): OpenChangeFeed {
  const listeners = new Set<() => void>()
  let revision: string | undefined
  let polling: NodeJS.Timeout | undefined
  let soon: NodeJS.Timeout | undefined

  function check(): void {
    try {
      const current = source.revision()
      if (current === revision) return
      revision = current
      for (const onChange of listeners) onChange()
    } catch {
      // The database can't be read at the moment; requests report why.
      revision = undefined
    }
  }

  function stop(): void {
    clearInterval(polling)
    clearTimeout(soon)
    polling = soon = undefined
  }

  return {
    listen: (given, onChange) => {
      let position = given === undefined ? undefined : parsePosition(given)
      if (given === undefined) position = source.read(({ requests }) => requests.position())
      let mark: string | undefined
      listeners.add(onChange)
      polling ??= setInterval(check, POLL_MS).unref()
      return {
        next: () =>
          source.read(({ requests, settings }) => {
            const currentMark = settings.changeMark() ?? ''
            const since = position === undefined ? undefined : requests.after(position, MAX_ENTRIES)
            if (since === undefined) {
              position = requests.position()
              mark = currentMark
              return { kind: 'resync', position: formatPosition(position) }
            }
            position = since.position
            if (since.entries.length > 0)
              return { kind: 'requests', position: formatPosition(position), entries: since.entries }
            if (mark === currentMark) return undefined
            mark = currentMark
            return { kind: 'changed', position: formatPosition(position) }
          }),
        close: () => {
          listeners.delete(onChange)
          if (listeners.size === 0) stop()
        },
      }
    },
    committed: () => {
      if (polling === undefined || soon !== undefined) return
      soon = setTimeout(() => {
        soon = undefined
        check()
      }, COALESCE_MS).unref()
    },
    close: () => {
      listeners.clear()
      stop()
    },
  }
}

const formatPosition = ({ number, requestId }: LogPosition): string => `${number}.${requestId}`

/** Undefined if it isn't a position of any log. */
function parsePosition(text: string): LogPosition | undefined {
  const [, number, requestId] = /^(\d{1,15})\.([\w-]{0,64})$/.exec(text) ?? []
  return number === undefined || requestId === undefined ? undefined : { number: Number(number), requestId }
}
