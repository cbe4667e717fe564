import { PassThrough, Writable } from 'node:stream'
import { expect, vi } from 'vitest'

export const KEYS = {
  enter: '\r',
  up: '\u001b[A',
  down: '\u001b[B',
  escape: '\u001b',
  ctrlC: '\u0003',
  backspace: '\u007f',
} as const

/**
 * A keyboard and a screen for prompts, in process.
 *
 *     const terminal = createPromptTerminal({ columns: 60 })
 *     const prompts = createPrompts(terminal.streams, terminal.stop.signal, plainPaint, () => 0)
 *     const answer = prompts.text({ label: 'Amount' })
 *     terminal.type(`5.00${KEYS.enter}`)
 *     expect(terminal.screen()).toBe('✓ Amount: 5.00')
 *
 * pseudo-terminal.ts runs the built program in a real one.
 */
export function createPromptTerminal({
  columns = 80,
  onWrite,
}: {
  readonly columns?: number
  /** Called with everything that is written, escape codes included. */
  readonly onWrite?: (text: string) => void
} = {}) {
  const input = new PassThrough()
  const clock = { ms: 0 }
  const screen = createScreen()
  const output = Object.assign(
    new Writable({
      write(chunk: Buffer, _encoding, done) {
        screen.write(chunk.toString('utf8'))
        onWrite?.(chunk.toString('utf8'))
        done()
      },
    }),
    // As of a standard stream: a prompt that ends leaves it open.
    { columns, isTTY: true, _isStdio: true },
  )
  return {
    streams: { input, output },
    stop: new AbortController(),
    type: (keys: string) => void input.write(keys),
    clock,
    /** Waits until the screen shows a text. */
    see: (text: string) =>
      vi.waitFor(() => expect(screen.text()).toContain(text), { timeout: 8_000, interval: 5 }),
    /** Types as a person does: each Enter is a key of its own, after a pause. */
    press: async (keys: string) => {
      for (const part of keys.split(/(?=[\r\n])|(?<=[\r\n])/)) {
        clock.ms += 1_000
        input.write(part)
        await new Promise((shown) => setImmediate(shown))
      }
    },
    /** Types keys one by one, each after the screen shows the effect of the last. */
    typeAndLook: async (...keys: readonly string[]) => {
      for (const each of keys) {
        input.write(each)
        await new Promise((shown) => setImmediate(shown))
      }
    },
    /** The visible lines, without trailing spaces and trailing empty lines. */
    screen: () => screen.text(),
    /** Everything that was written, escape codes included. */
    raw: () => screen.raw(),
  }
}

/** The part of a terminal that prompts use: moving the cursor up, down and to a column, and erasing. Ignores colours. */
function createScreen() {
  const lines: string[] = ['']
  let [row, column] = [0, 0]
  let raw = ''
  const line = () => lines[row] ?? ''
  function put(character: string): void {
    if (character === '\n') row += 1
    else if (character === '\r') column = 0
    else {
      lines[row] = line().padEnd(column).slice(0, column) + character + line().slice(column + 1)
      column += 1
    }
    while (lines.length <= row) lines.push('')
    if (character === '\n') column = 0
  }
  function control(count: number | undefined, kind: string | undefined): void {
    if (kind === 'A') row = Math.max(0, row - (count ?? 1))
    if (kind === 'B') row = Math.min(lines.length - 1, row + (count ?? 1))
    if (kind === 'G') column = (count ?? 1) - 1
    if (kind === 'K') lines[row] = count === 2 ? '' : line().slice(0, column)
    if (kind === 'J') lines.splice(row + 1)
  }
  return {
    write: (text: string) => {
      raw += text
      for (const [, csi, kind, character] of text.matchAll(/\u001b\[\??(\d*)([A-Za-z])|([\s\S])/g)) {
        if (character === undefined) control(csi === '' ? undefined : Number(csi), kind)
        else put(character)
      }
    },
    raw: () => raw,
    text: () =>
      lines
        .map((each) => each.trimEnd())
        .join('\n')
        .trimEnd(),
  }
}
