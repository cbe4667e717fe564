import { interruptedBy } from '../../errors.ts'
import { QUIET_MS, REPEAT_MS } from '../command/prompts-port.ts'
import type { Screen } from '../command/prompts-port.ts'

/** No answer is taken from a key that is held down or was typed before the question was there. */

export interface Guarded {
  readonly typed: string
  /** When the question was drawn, or the last key before it takes an answer. */
  readonly lastMs: number
  readonly takesAnswers: boolean
}

/** A question that takes no answer before {@link QUIET_MS} without a key. Undefined for Esc. */
export const guardedConfirmation = (
  sentence: string,
  drawnMs: number,
): Screen<Guarded, boolean | undefined> => ({
  start: { typed: '', lastMs: drawnMs, takesAnswers: false },
  press: (state, { name, isCtrl, text, atMs }) => {
    if (name === 'escape') return { answer: undefined }
    if (!state.takesAnswers && atMs - state.lastMs < QUIET_MS) return { state: { ...state, lastMs: atMs } }
    const { typed } = state
    if (name === 'return') return { answer: /^y(?:es)?$/i.test(typed.trim()) }
    const line = name === 'backspace' ? typed.slice(0, -1) : isCtrl ? typed : `${typed}${text}`
    return { state: { typed: line, lastMs: atMs, takesAnswers: true } }
  },
  picture: ({ typed }) => ({
    input: { label: `${sentence} (y/N)`, text: typed },
    rows: [],
    chosen: -1,
    status: [],
    keys: [],
  }),
})

/** Ctrl-C and Ctrl-D. */
const ENDS = ['\u0003', '\u0004'] as const

/** Discards what was typed ahead. If that was anything, waits until no key has come for {@link QUIET_MS}. */
export function discardKeys(input: NodeJS.ReadableStream, stop: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const setRawMode =
      'setRawMode' in input && typeof input.setRawMode === 'function' ? input.setRawMode : undefined
    const end = (settle: () => void) => {
      clearTimeout(timer)
      input.off('data', onData)
      input.pause()
      setRawMode?.call(input, false)
      stop.removeEventListener('abort', cancel)
      settle()
    }
    const cancel = () => end(() => reject(interruptedBy(stop)))
    const onData = (data: unknown): void => {
      if (ENDS.some((key) => String(data).includes(key))) return cancel()
      clearTimeout(timer)
      timer = setTimeout(() => end(resolve), QUIET_MS)
    }
    // Without echo, and key by key.
    setRawMode?.call(input, true)
    let timer = setTimeout(() => end(resolve), REPEAT_MS)
    stop.addEventListener('abort', cancel, { once: true })
    input.on('data', onData)
    input.resume()
    if (stop.aborted) cancel()
  })
}
