import { interruptedBy } from '../../errors.ts'
import type { Picture, Screen, ScreenKey, Step } from '../command/prompts-port.ts'

interface Lines {
  readonly say: (text: string) => void
  /** Asks, and reads one line. */
  readonly line: (question: string) => Promise<string>
  readonly clock: () => number
  readonly stop: AbortSignal
}

/** The width of the number before a row. */
const NUMBER_WIDTH = 6
const COLUMNS = 80 - NUMBER_WIDTH

/** Shows a screen as numbered lines, each time below the last: one line asks, one line answers. */
export async function showAsLines<State, Answer>(
  screen: Screen<State, Answer>,
  { say, line, clock, stop }: Lines,
): Promise<Answer> {
  let state = screen.start
  const end: { by?: { readonly answer: Answer } } = {}
  let onChange: (() => void) | undefined
  const go = (step: Step<State, Answer>): void => {
    if (end.by !== undefined) return
    if ('answer' in step) end.by = step
    else if (step.state !== state) {
      state = step.state
      follow()
    }
    onChange?.()
  }
  const follow = () => screen.follow?.(state, (change) => go(change(state, clock())))
  const changed = () =>
    new Promise<void>((resolve, reject) => {
      onChange = resolve
      if (stop.aborted) reject(interruptedBy(stop))
      stop.addEventListener('abort', () => reject(interruptedBy(stop)), { once: true })
    })
  follow()
  for (;;) {
    while (end.by === undefined && screen.isWaiting?.(state) === true) await changed()
    if (end.by !== undefined) return end.by.answer
    const picture = screen.picture(state, COLUMNS)
    for (const text of linesOf(picture)) say(`${text}\n`)
    const question = `? ${picture.input?.label ?? 'Choose'} (${howToAnswer(picture)}): `
    const typed = (await line(question)).trim()
    go(stepOf(screen, state, picture, typed, clock()))
  }
}

function linesOf({ title, heading, rows, status }: Picture): readonly string[] {
  const width = String(rows.length).length + 1
  return [
    ...(title === undefined ? [] : [title]),
    ...(heading === undefined || rows.length === 0 ? [] : [`${' '.repeat(width + 3)}${heading}`]),
    ...rows.map(({ text }, at) => ` ${`#${at + 1}`.padStart(width)}  ${text}`),
    ...status,
  ]
}

/** `#1 for the first, r read again, empty line leave`. */
const howToAnswer = ({ rows, keys }: Picture): string =>
  [
    ...(rows.length === 0 ? [] : ['#1 for the first']),
    ...keys.filter(({ name }) => name !== 'return').map((key) => `${letterOf(key)} ${key.words}`),
  ].join(', ')

const letterOf = ({ name }: ScreenKey): string => (name === 'escape' ? 'empty line' : name)

function stepOf<State, Answer>(
  screen: Screen<State, Answer>,
  state: State,
  { rows, keys }: Picture,
  typed: string,
  atMs: number,
): Step<State, Answer> {
  const press = (from: State, name: string, isCtrl = false) =>
    screen.press(from, { name, isCtrl, text: isCtrl || name.length > 1 ? '' : name, atMs })
  if (typed === '') return press(state, 'escape')
  const number = /^#(\d+)$/.exec(typed)?.[1]
  if (number !== undefined) {
    const at = Number(number) - 1
    return rows[at] === undefined ? { state } : press(screen.pick?.(state, at) ?? state, 'return')
  }
  const key = keys.find(({ name }) => name === typed.toLowerCase())
  if (key !== undefined) return press(state, key.name, key.isCtrl)
  return screen.enter === undefined ? press(state, typed) : { state: screen.enter(state, typed) }
}
