import { PassThrough, Writable } from 'node:stream'

export const KEYS = {
  enter: '\r',
  up: '\u001b[A',
  down: '\u001b[B',
  escape: '\u001b',
  ctrlC: '\u0003',
  backspace: '\u007f',
} as const

/** A keyboard and a screen for prompts: what is typed, and what a person then sees. */
export function createPromptTerminal({
  columns = 80,
  onWrite,
}: {
  readonly columns?: number
  /** Sees what is written, as it is written. */
  readonly onWrite?: (text: string) => void
} = {}) {
  const input = new PassThrough()
  const screen = createScreen()
  const output = Object.assign(
    new Writable({
      write(chunk: Buffer, _encoding, done) {
        screen.write(chunk.toString('utf8'))
        onWrite?.(chunk.toString('utf8'))
        done()
      },
    }),
    { columns, isTTY: true },
  )
  return {
    streams: { input, output },
    stop: new AbortController(),
    type: (keys: string) => void input.write(keys),
    /** As a person types: the next keys come after the screen shows what these did. */
    typeAndLook: async (...keys: readonly string[]) => {
      for (const each of keys) {
        input.write(each)
        await new Promise((shown) => setImmediate(shown))
      }
    },
    /** The lines as they stand, without spaces at their ends and empty lines below. */
    screen: () => screen.text(),
    raw: () => screen.raw(),
  }
}

/** So much of a terminal as prompts use: the cursor up, down and to a column, lines erased; colours are left out. */
function createScreen() {
  const lines: string[] = ['']
  let [row, column] = [0, 0]
  let raw = ''
  const line = () => lines[row] ?? ''
  function put(sign: string): void {
    if (sign === '\n') row += 1
    else if (sign === '\r') column = 0
    else {
      lines[row] = line().padEnd(column).slice(0, column) + sign + line().slice(column + 1)
      column += 1
    }
    while (lines.length <= row) lines.push('')
    if (sign === '\n') column = 0
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
      for (const [, csi, kind, sign] of text.matchAll(/\u001b\[\??(\d*)([A-Za-z])|([\s\S])/g)) {
        if (sign === undefined) control(csi === '' ? undefined : Number(csi), kind)
        else put(sign)
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
