import { batch, signal } from '@preact/signals'
import type { ReadonlySignal } from '@preact/signals'
import type { Changes, LoggedRequest } from '../../sandbox/log/logged-request.ts'
import { ServiceError } from './send.ts'
import { read } from './service.ts'

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
  /** The requests that arrived most recently, reads included, oldest first. */
  readonly latest: ReadonlySignal<readonly LoggedRequest[]>
  readonly state: ReadonlySignal<'connecting' | 'live' | 'broken'>
} = { version, latest, state }

const POLL_MS = 500
/** If no answer comes for this long, the connection is gone. */
const PATIENCE_MS = 10_000

/** Follows the sandbox while the page is visible. Ends if a key is needed and the person gives none. */
export function startLive(): void {
  let after: string | undefined
  const look = async (): Promise<void> => {
    const { position, changed, requests } = await read<Changes>('/sandbox/changes', {
      query: { after },
      signal: AbortSignal.timeout(PATIENCE_MS),
    })
    after = position
    batch(() => {
      state.value = 'live'
      if (requests.length > 0) latest.value = requests
      if (changed || requests.some(mayHaveChangedData)) version.value += 1
    })
  }
  const lookAgain = async (): Promise<void> => {
    try {
      if (document.visibilityState === 'visible') await look()
    } catch (error) {
      state.value = 'broken'
      if (error instanceof ServiceError && error.status === 401) return
    }
    setTimeout(() => void lookAgain(), state.value === 'broken' ? 4 * POLL_MS : POLL_MS)
  }
  void lookAgain()
}

/** Whether a request may have changed data. A refused write counts too: it appears in the history of its payment. */
const mayHaveChangedData = ({ method, fault }: LoggedRequest): boolean =>
  method !== 'GET' || fault !== undefined
