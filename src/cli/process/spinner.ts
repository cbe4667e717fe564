import type { Spinner } from '../command/context.ts'

/** Most responses arrive earlier, so nothing is shown for them. */
const DELAY_MS = 400
const FRAME_MS = 120
const FRAMES = ['⠋', '⠙', '⠹', '⠸', '⠼', '⠴', '⠦', '⠧', '⠇', '⠏']
const ERASE_LINE = '\r\u001b[K'

/** Shows an animated line with the elapsed time while waiting for a response, and erases it at the end. */
export function startSpinner(write: (text: string) => void, label: string): Spinner {
  let frame = 0
  let isShown = false
  let timer: NodeJS.Timeout | undefined
  const erase = (): void => {
    if (isShown) write(ERASE_LINE)
    isShown = false
  }
  const draw = (): void => {
    const seconds = Math.floor((DELAY_MS + frame * FRAME_MS) / 1000)
    write(`${ERASE_LINE}${FRAMES[frame % FRAMES.length]} ${label}…${seconds === 0 ? '' : ` ${seconds} s`}`)
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
