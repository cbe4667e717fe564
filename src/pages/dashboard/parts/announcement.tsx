import { signal } from '@preact/signals'

const announcement = signal('')

/** Tells screen readers what changed, such as the outcome of an action. */
export function announce(words: string): void {
  announcement.value = words
}

export function Announcement() {
  return (
    <p class="unseen" role="status" aria-live="polite">
      {announcement.value}
    </p>
  )
}
