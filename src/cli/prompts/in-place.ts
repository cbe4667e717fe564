import { createPrompt, useEffect, useKeypress, useState } from '@inquirer/core'
import { truncate, widthOf } from '../../output/width.ts'
import { wrapWords } from '../../output/wrap.ts'
import type { Paint, Tone } from '../../output/paint.ts'
import type { Picture, PromptStreams, Screen, ScreenKey, Step, Tint } from '../command/prompts-port.ts'

export interface Frame {
  /** The lines down to the cursor, which is at the end of the last one. */
  readonly above: readonly string[]
  readonly below: readonly string[]
}

const MARK_WIDTH = 2
const FEWEST_ROWS = 3
const MIN_COLUMNS = 20
const USUAL = { columns: 80, rows: 24 } as const

/** Draws a screen in place until a key answers it, and erases it then. */
export function showInPlace<State, Answer>(
  screen: Screen<State, Answer>,
  { input, output }: PromptStreams,
  {
    signal,
    paint,
    clock,
  }: { readonly signal: AbortSignal; readonly paint: Paint; readonly clock: () => number },
): Promise<Answer> {
  let state = screen.start
  let isOver = false
  let frame: Frame = { above: [''], below: [] }
  let count = 0
  const prompt = createPrompt<Answer, object>((_, done) => {
    const [, redraw] = useState(0)
    const apply = (step: Step<State, Answer>): void => {
      if (isOver) return
      isOver = 'answer' in step
      if ('answer' in step) return done(step.answer)
      const isChanged = step.state !== state
      state = step.state
      redraw((count += 1))
      if (isChanged) follow()
    }
    const follow = () =>
      screen.follow?.(state, (change) => {
        if (!isOver) apply(change(state, clock()))
      })
    useKeypress(({ name, ctrl }, line) => {
      // The line of readline holds what this key typed; the screen keeps a line of its own.
      const text = line.line.replaceAll(/\p{Cc}/gu, '')
      line.clearLine(0)
      apply(screen.press(state, { name, isCtrl: ctrl, text, atMs: clock() }))
    })
    useEffect(() => {
      follow()
      const onResize = (): void => {
        output.write(toTopOf(frame, sizeOf(output).columns))
        redraw((count += 1))
      }
      output.on('resize', onResize)
      return () => {
        isOver = true
        output.off('resize', onResize)
      }
    }, [])
    const size = sizeOf(output)
    frame = frameOf(screen.picture(state, size.columns - MARK_WIDTH - 1), size, paint)
    return [frame.above.join('\n'), frame.below.join('\n')]
  })
  return prompt({}, { input, output, signal, clearPromptOnDone: true })
}

/** The lines of a picture, none wider than the terminal. */
export function frameOf(
  picture: Picture,
  { columns, rows }: { readonly columns: number; readonly rows: number },
  paint: Paint,
): Frame {
  const width = Math.max(MIN_COLUMNS, columns) - 1
  const { title, titleTint, input, heading, status, chosen } = picture
  const above = [
    ...textLines(title === undefined ? [] : [title], width).map((line) =>
      tinted(line, titleTint, 'strong', paint),
    ),
    ...(input === undefined ? [] : inputLines(input, width, paint)),
  ]
  const end = [...textLines(status, width), ...keyLines(picture.keys, width)].map((line) =>
    paint(line, 'dim'),
  )
  const titles = heading === undefined ? [] : [paint(truncate(`  ${heading}`, width), 'dim')]
  const room = rows - above.length - titles.length - end.length - 2
  const most = Math.max(FEWEST_ROWS, room)
  const first = Math.floor(Math.max(0, chosen) / most) * most
  const shown = picture.rows.slice(first, first + most).map(({ text, tone, tint }, at) => {
    const isChosen = first + at === chosen
    const line = truncate(`${isChosen ? '>' : ' '} ${text}`, width)
    return tinted(
      line,
      tone === 'dim' ? undefined : tint,
      isChosen && tone !== 'dim' ? 'accent' : tone,
      paint,
    )
  })
  const count =
    picture.rows.length > most
      ? [paint(`  ${first + 1} to ${first + shown.length} of ${picture.rows.length}`, 'dim')]
      : []
  return { above, below: [...titles, ...shown, ...count, ...end] }
}

/** Paints a line, and the first of its parts that is the tint's. */
function tinted(line: string, tint: Tint | undefined, tone: Tone | undefined, paint: Paint): string {
  const whole = (text: string) => (tone === undefined || text === '' ? text : paint(text, tone))
  const at = tint === undefined || tint.text === '' ? -1 : line.indexOf(tint.text)
  if (tint === undefined || at === -1) return whole(line)
  const end = at + tint.text.length
  return `${whole(line.slice(0, at))}${paint(line.slice(at, end), tint.tone)}${whole(line.slice(end))}`
}

/** Wraps texts. A word wider than the terminal is truncated. */
const textLines = (texts: readonly string[], width: number): readonly string[] =>
  texts.flatMap((text) => wrapWords(text, width)).map((line) => truncate(line, width))

/** The label and the typed text. A text that is too long shows its end, where you type. */
function inputLines(
  { label, text }: NonNullable<Picture['input']>,
  width: number,
  paint: Paint,
): readonly string[] {
  const lines = wrapWords(`? ${label}`, width - MARK_WIDTH)
  const last = lines.at(-1) ?? ''
  const characters = Array.from(text)
  while (widthOf(`${last} ${characters.join('')}`) > width) characters.shift()
  return [
    ...lines.slice(0, -1).map((line) => paint(line, 'strong')),
    `${paint(last, 'strong')} ${characters.join('')}`,
  ]
}

const NAMES: Readonly<Record<string, string>> = { return: 'Enter', escape: 'Esc' }

const keyName = ({ name, isCtrl }: ScreenKey): string =>
  isCtrl === true ? `^${name.toUpperCase()}` : (NAMES[name] ?? name)

/** Lists keys, `Enter open  ^R read again`, in lines that break between two keys. */
function keyLines(keys: readonly ScreenKey[], width: number): readonly string[] {
  return keys.reduce<readonly string[]>((lines, key) => {
    const words = `${keyName(key)} ${key.words}`
    const longer = `${lines.at(-1) ?? ''}  ${words}`
    return lines.length > 0 && widthOf(longer) <= width ? [...lines.slice(0, -1), longer] : [...lines, words]
  }, [])
}

/**
 * After a resize, which may have wrapped the lines above the cursor: erases the frame, and leaves the cursor where the
 * library expects it, so that it erases empty lines.
 */
function toTopOf({ above, below }: Frame, columns: number): string {
  const wrapped = (line: string) => Math.floor(Math.max(0, widthOf(line) - 1) / columns)
  const rowsAbove = above.reduce((sum, line) => sum + wrapped(line), above.length - 1)
  return `\r${up(rowsAbove)}\u001B[J${'\n'.repeat(above.length + below.length - 1)}${up(below.length)}`
}

const up = (count: number): string => (count > 0 ? `\u001B[${count}A` : '')

/** The size of a terminal. Some terminals report 0. */
export function sizeOf(output: NodeJS.WritableStream): { readonly columns: number; readonly rows: number } {
  const read = (name: 'columns' | 'rows'): number => {
    const value: unknown = name in output ? Reflect.get(output, name) : undefined
    return typeof value === 'number' && value > 0 ? value : USUAL[name]
  }
  return { columns: read('columns'), rows: read('rows') }
}
