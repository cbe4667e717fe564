import type { Spinner } from '../command/context.ts'

/** So long nothing is shown: most answers are there by then. */
const DELAY_MS = 400
const FRAME_MS = 120
const FRAMES = ['⠋', '⠙', '⠹', '⠸', '⠼', '⠴', '⠦', '⠧', '⠇', '⠏']
const ERASE_LINE = '\r\u001b[K'

/** A line that moves while an answer is waited for, and says for how long; it leaves nothing behind. */
export function startSpinner(write: (text: string) => void, words: string): Spinner {
  let frame = 0
  let isShown = false
  let timer: NodeJS.Timeout | undefined
  const erase = (): void => {
    if (isShown) write(ERASE_LINE)
    isShown = false
  }
  const draw = (): void => {
    const seconds = Math.floor((DELAY_MS + frame * FRAME_MS) / 1000)
    write(`${ERASE_LINE}${FRAMES[frame % FRAMES.length]} ${words}…${seconds === 0 ? '' : ` ${seconds} s`}`)
    isShown = true
    frame += 1
  }
  timer = setTimeout(() => {
    draw()
    timer = setInterval(draw, FRAME_MS).unref()
  }, DELAY_MS).unref()
  return {
    erase,
    stop: () => {
      clearTimeout(timer)
      erase()
    },
  }
}
