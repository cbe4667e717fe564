import { setTimeout } from 'node:timers/promises'
import type { FoundChoices } from '../command/prompts-port.ts'

/** How long to wait for another key before a search. */
const PAUSE_MS = 200

/** The library ignores Enter while it waits for a search. This presses it again if the search finds one choice. */
export function holdEnter(keys: NodeJS.ReadableStream) {
  let [isSearching, isHeld] = [false, false]
  const onKey = (_: unknown, key: { readonly name?: string } | undefined): void => {
    isHeld = isSearching && (key?.name === 'return' || key?.name === 'enter')
  }
  keys.on('keypress', onKey)
  return {
    during: async (find: () => Promise<FoundChoices>, signal: AbortSignal): Promise<FoundChoices> => {
      isSearching = true
      await setTimeout(PAUSE_MS, undefined, { signal })
      const found = await find()
      if (signal.aborted) return found
      isSearching = false
      if (isHeld && found.choices.length === 1)
        setImmediate(() => keys.emit('keypress', '\r', { name: 'return' }))
      return found
    },
    stop: () => void keys.off('keypress', onKey),
  }
}
