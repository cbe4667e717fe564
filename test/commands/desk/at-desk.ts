import { createPlainPrompts } from '../../../src/cli/prompts/plain-prompts.ts'
import { createPrompts } from '../../../src/cli/prompts/prompts.ts'
import { plainPaint } from '../../../src/output/paint.ts'
import { createPromptTerminal } from '../../support/prompt-terminal.ts'
import type { Bench, RunOptions } from '../../support/run-pay.ts'
import type { PromptOptions } from '../../support/scripted-prompts.ts'

const PATIENCE_MS = 8_000
/** A pause that no question takes for a key held down. */
const PAUSE_MS = 1_000

/**
 * `pay desk` on a terminal of the test:
 *
 *     const desk = atDesk(bench, 'desk', { service })
 *     await desk.see('1 newest', KEYS.enter)
 *     const { exitCode } = await desk.interrupt()
 */
export function atDesk(
  bench: Pick<Bench, 'runPay'>,
  words: string | readonly string[],
  {
    isPlain = false,
    columns = 100,
    ...options
  }: Omit<RunOptions, 'prompts'> & { readonly isPlain?: boolean } = {},
) {
  const clock = { ms: 0 }
  const terminal = createPromptTerminal({ columns })
  const { signal } = terminal.stop
  const prompts = (guard: PromptOptions) =>
    isPlain
      ? createPlainPrompts(terminal.streams, signal, () => clock.ms, guard)
      : createPrompts(terminal.streams, signal, plainPaint, () => clock.ms, guard)
  let result: Awaited<ReturnType<Bench['runPay']>> | undefined
  const ended = bench
    .runPay(words, { ...options, env: { NO_COLOR: '1', ...options.env }, columns, prompts, signal })
    .then((value) => (result = value))
  // A test that fails before it awaits the end says why itself.
  ended.catch(() => undefined)
  const wait = (ms = 5) => new Promise((resolve) => setTimeout(resolve, ms))
  const desk = {
    terminal,
    clock,
    ended,
    wait,
    /** Waits until the screen shows a text, then types. */
    see: async (text: string, keys = ''): Promise<void> => {
      const begin = performance.now()
      while (!terminal.screen().includes(text)) {
        if (result !== undefined || performance.now() - begin > PATIENCE_MS)
          throw new Error(
            `never shown: ${text}\n${terminal.screen()}\n${result === undefined ? 'still running' : `ended with ${result.exitCode}: ${result.stderr}`}`,
          )
        await wait()
      }
      if (keys !== '') desk.type(keys)
    },
    /** Types after a pause, and Enter after another. */
    type: (keys: string): void => {
      for (const part of keys.split(/(?=[\r\n])/)) {
        clock.ms += PAUSE_MS
        terminal.type(part)
      }
    },
    /** Holds a key down: it repeats 30 times a second. */
    hold: async (key: string, ms: number): Promise<void> => {
      for (let held = 0; held < ms; held += 33) {
        clock.ms += 33
        terminal.type(key)
        await wait(10)
      }
    },
    pressUntilItEnds: async (key: string) => {
      for (const begin = performance.now(); performance.now() - begin < PATIENCE_MS;) {
        if (result !== undefined) return ended
        desk.type(key)
        // Faster, it would be a key held down.
        await wait(key === '\u0003' ? 100 : 450)
      }
      throw new Error(`never ended\n${terminal.screen()}`)
    },
    /** Presses Ctrl-C until it ends: in an action, that ends the action. */
    interrupt: () => desk.pressUntilItEnds('\u0003'),
  }
  return desk
}
