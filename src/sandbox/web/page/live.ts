import { batch, signal } from '@preact/signals'
import type { ReadonlySignal } from '@preact/signals'
import { eventParser } from './event-parser.ts'
import type { StreamEvent } from './event-parser.ts'
import type { LoggedRequest } from './logged-request.ts'
import { askForKey, currentKey } from './service.ts'

const version = signal(0)
const latest = signal<readonly LoggedRequest[]>([])
const state = signal<'connecting' | 'live' | 'broken'>('connecting')

/** What the sandbox reports while the page is open, from every process on its folder. */
export const live: {
  /**
   * Grows when data may have changed; pages then fetch again what they show. Plain reads leave it as it is: a page that
   * reads because of it must not cause the next change.
   */
  readonly version: ReadonlySignal<number>
  /** The requests that arrived most recently, reads included, oldest first. Each appears once. */
  readonly latest: ReadonlySignal<readonly LoggedRequest[]>
  readonly state: ReadonlySignal<'connecting' | 'live' | 'broken'>
} = { version, latest, state }

export interface LiveOptions {
  /** The key to send. */
  readonly key: () => string
  /** Called when a key was refused. Resolves to false if there is no other one. */
  readonly onRefusedKey: (key: string) => Promise<boolean>
}

/** Signals change at most once in this time, however much happens. */
const COALESCE_MS = 200
/** The server sends a ping every 15 s. */
const SILENCE_MS = 40_000
const FIRST_WAIT_MS = 250
const LONGEST_WAIT_MS = 8_000
/** The most requests that a page needs at one time. */
const MAX_LATEST = 1_000

/** Follows the sandbox while the page is visible. Returns a function that ends it. */
export function startLive({ key, onRefusedKey }: LiveOptions = ASKING): () => void {
  const ended = new AbortController()
  let lastId: string | undefined
  let attempt = new AbortController()
  let wake: () => void = ignore
  const report = coalesced()

  /** Resolves when the stream has ended. Rejects if there is no connection. */
  async function follow(abort: AbortSignal): Promise<'again' | 'over'> {
    const sent = key()
    const response = await fetch('/sandbox/events', {
      headers: { 'X-API-KEY': sent, ...(lastId === undefined ? {} : { 'Last-Event-ID': lastId }) },
      cache: 'no-store',
      credentials: 'omit',
      redirect: 'error',
      signal: abort,
    })
    if (response.status === 401) {
      state.value = 'broken'
      return (await onRefusedKey(sent)) ? 'again' : 'over'
    }
    if (!response.ok || response.body === null) throw new Error(`HTTP ${response.status}`)
    const parse = eventParser()
    const watchdog = afterSilence(() => attempt.abort())
    try {
      // Not every browser iterates over a stream.
      const reader = response.body.pipeThrough(new TextDecoderStream()).getReader()
      for (let read = await reader.read(); !read.done; read = await reader.read()) {
        watchdog.restart()
        for (const event of parse(read.value)) {
          lastId = event.id
          state.value = 'live'
          report(event)
        }
      }
    } finally {
      watchdog.stop()
    }
    throw new Error('the stream ended')
  }

  async function run(): Promise<void> {
    for (let failures = 0; !ended.signal.aborted;) {
      await untilVisible(ended.signal)
      attempt = new AbortController()
      try {
        if ((await follow(attempt.signal)) === 'over') return
      } catch {
        if (state.value === 'live') failures = 0
        if (document.visibilityState === 'hidden') continue
        if (!ended.signal.aborted) state.value = 'broken'
        failures += 1
        await new Promise<void>((resolve) => {
          wake = resolve
          setTimeout(resolve, waitMs(failures))
        })
      }
    }
  }

  // Browsers open six connections to a server at most; pages in the background leave them to others.
  const onVisibility = () => (document.visibilityState === 'hidden' ? attempt.abort() : wake())
  document.addEventListener('visibilitychange', onVisibility, { signal: ended.signal })
  addEventListener('online', () => wake(), { signal: ended.signal })
  state.value = 'connecting'
  void run()
  return () => {
    ended.abort()
    attempt.abort()
    wake()
  }
}

const ASKING: LiveOptions = { key: currentKey, onRefusedKey: askForKey }

const ignore = (): void => undefined

const waitMs = (failures: number): number => Math.min(FIRST_WAIT_MS * 2 ** (failures - 1), LONGEST_WAIT_MS)

function untilVisible(ended: AbortSignal): Promise<void> {
  if (document.visibilityState !== 'hidden') return Promise.resolve()
  return new Promise((resolve) => {
    document.addEventListener('visibilitychange', () => resolve(), { once: true, signal: ended })
    ended.addEventListener('abort', () => resolve(), { once: true })
  })
}

function afterSilence(act: () => void): { readonly restart: () => void; readonly stop: () => void } {
  let timer = setTimeout(act, SILENCE_MS)
  return {
    restart: () => {
      clearTimeout(timer)
      timer = setTimeout(act, SILENCE_MS)
    },
    stop: () => clearTimeout(timer),
  }
}

/** Passes events on to the signals: the first at once, the following together. */
function coalesced(): (event: StreamEvent) => void {
  let requests: LoggedRequest[] = []
  let isChanged = false
  let timer: ReturnType<typeof setTimeout> | undefined

  function publish(): void {
    timer = undefined
    if (requests.length === 0 && !isChanged) return
    timer = setTimeout(publish, COALESCE_MS)
    batch(() => {
      if (requests.length > 0) latest.value = requests.slice(-MAX_LATEST)
      if (isChanged) version.value += 1
    })
    requests = []
    isChanged = false
  }

  return ({ event, data }) => {
    if (event === 'requests') {
      const entries: readonly LoggedRequest[] = JSON.parse(data)
      requests = [...requests, ...entries].slice(-MAX_LATEST)
      isChanged ||= entries.some(mayHaveChangedData)
    } else isChanged = true
    if (timer === undefined) publish()
  }
}

/** A refused write counts too: it appears in the history of its payment. */
const mayHaveChangedData = ({ method, fault }: LoggedRequest): boolean =>
  method !== 'GET' || fault !== undefined
