import { signal } from '@preact/signals'

/** What the sandbox reports while the page is open. */
export const live = {
  /** Grows with every change of the sandbox's data. */
  version: signal(0),
  latest: signal<readonly unknown[]>([]),
  state: signal<'connecting' | 'live' | 'broken'>('connecting'),
}

export function startLive(): void {
  live.state.value = 'connecting'
}
