import { createPrompts } from '../../../src/cli/prompts/prompts.ts'
import { plainPaint } from '../../../src/output/paint.ts'
import { createPromptTerminal } from '../../support/prompt-terminal.ts'

/** Prompts without a guard, on a terminal of the test. */
export function start(columns?: number) {
  const terminal = createPromptTerminal(columns === undefined ? {} : { columns })
  return {
    ...terminal,
    prompts: createPrompts(terminal.streams, terminal.stop.signal, plainPaint, () => terminal.clock.ms, {
      isGuarded: false,
    }),
  }
}
