import { createInterface, emitKeypressEvents } from 'node:readline'
import { interruptedBy } from '../../errors.ts'
import { safeText } from '../../output/safe-text.ts'
import { widthOf } from '../../output/width.ts'
import { wrapWords } from '../../output/wrap.ts'
import { askAfterQuiet, rawModeOf } from './fresh-keys.ts'
import { sizeOf } from './in-place.ts'
import { matchesOf } from './match-choices.ts'
import type {
  Choice,
  ChoiceQuestion,
  FoundChoices,
  PromptOptions,
  PromptStreams,
  Prompts,
  Question,
  Picture,
  Screen,
  ScreenKey,
  Step,
} from '../command/prompts-port.ts'

/**
 * Prompts for terminals that cannot move the cursor (TERM=dumb) and for screen readers. @inquirer/prompts has no mode for
 * them. One line asks, one line answers; a choice is a number such as #2.
 */
export function createPlainPrompts(
  streams: PromptStreams,
  stop: AbortSignal,
  clock: () => number,
  options: PromptOptions,
): Prompts {
  const say = (text: string) => void streams.output.write(text)
  const wrapped = (text: string) => wrapWords(safeText(text), sizeOf(streams.output).columns).join('\n')
  /** Reads a line. A guarded one is read key by key, which tells a paste from typing. */
  const line = (question: string, { isGuarded } = options): Promise<string> => {
    const read = async (input: NodeJS.ReadableStream, readFrom: typeof readLine): Promise<string> => {
      say(question)
      try {
        return await readFrom(input, stop)
      } catch (error) {
        // A message about the interruption begins on a line of its own.
        say('\n')
        throw error
      }
    }
    return isGuarded
      ? askAfterQuiet(streams, { stop, clock }, ({ input }) =>
          read(input, (...from) => readKeys(...from, say)),
        )
      : read(streams.input, readLine)
  }
  const hiddenLine = (question: string): Promise<string> => {
    const read = async (input: NodeJS.ReadableStream): Promise<string> => {
      say(question)
      const answer = await readKeys(input, stop)
      say('\n')
      return answer
    }
    return options.isGuarded
      ? askAfterQuiet(streams, { stop, clock }, ({ input }) => read(input))
      : withoutEcho(streams.input, () => read(streams.input))
  }

  async function ask(
    { label, hint, check, interpret }: Question,
    read: (question: string) => Promise<string>,
  ) {
    for (;;) {
      const answer = await read(`${wrapped(`? ${hint === undefined ? label : `${label} (${hint})`}:`)} `)
      const problem = check?.(answer)
      if (problem === undefined) {
        const interpretation = answer === '' ? undefined : interpret?.(answer)
        if (interpretation !== undefined) say(`  ${safeText(interpretation)}\n`)
        return answer
      }
      say(`${wrapped(`! ${problem}`)}\n`)
    }
  }

  async function choose(question: ChoiceQuestion): Promise<string> {
    const { choices, freeText, label, hint, heading } = question
    let rows: readonly Choice[] = choices
    const list = () => {
      const width = String(rows.length).length
      if (heading !== undefined) say(`${' '.repeat(width + 4)}${safeText(heading)}\n`)
      for (const [at, { text }] of rows.entries())
        say(` ${`#${at + 1}`.padStart(width + 1)}  ${safeText(text)}\n`)
    }
    list()
    const what =
      freeText === undefined
        ? '#1 for the first, or words to search'
        : `#1 for the first, words to search, or ${freeText.what}`
    for (;;) {
      const answer = await ask({ label, hint: hint === undefined ? what : `${hint}; ${what}` }, line)
      const text = answer.trim()
      const found = isNumber(text) || text === '' ? undefined : await question.search?.(text, stop)
      if (found !== undefined) say(`  ${safeText(found.note)}\n`)
      const meant = choicesMeantBy({ ...question, ...found }, rows, text, found)
      const [choice] = meant
      if (choice === undefined) {
        say('! No choice matches\n')
      } else if (meant.length > 1) {
        rows = meant
        list()
      } else {
        if (choices.includes(choice) || found?.choices.includes(choice) === true)
          say(`  ${safeText(choice.text)}\n`)
        return choice.value
      }
    }
  }

  return {
    text: (question) => ask(question, line),
    secret: (question) => ask(question, hiddenLine),
    confirm: async ({ sentence }) => {
      const answer = await ask(
        {
          label: `${sentence} y/N`,
          check: (typed) => (/^(?:y|yes|n|no|)$/i.test(typed.trim()) ? undefined : 'Answer y or n'),
        },
        (question) => line(question, { isGuarded: true }),
      )
      return /^y/i.test(answer.trim())
    },
    choose,
    show: async (screen) => {
      if (screen.isGuarded === true) await askAfterQuiet(streams, { stop, clock }, async () => {})
      return showAsLines(screen, { say, line, columns: () => sizeOf(streams.output).columns, clock, stop })
    },
  }
}

const isNumber = (answer: string): boolean => /^#\d+$/.test(answer)

/** The choices that an answer to a numbered list can mean. */
function choicesMeantBy(
  question: ChoiceQuestion,
  listed: readonly Choice[],
  answer: string,
  found: FoundChoices | undefined,
): readonly Choice[] {
  if (answer === '') return []
  if (isNumber(answer)) return listed.slice(Number(answer.slice(1)) - 1).slice(0, 1)
  const { exact, partial, freeText: typed } = matchesOf(question, answer)
  if (exact !== undefined) return [exact]
  if (found !== undefined && found.choices.length > 0) return found.choices
  return typed === undefined ? partial : [...partial, { value: typed, text: `use "${typed}"` }]
}

/** Reads one line. The terminal shows and edits what is typed. */
function readLine(input: NodeJS.ReadableStream, stop: AbortSignal): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = createInterface({ input, terminal: false })
    const end = () => reader.close()
    let answer: string | undefined
    reader.once('line', (text) => {
      answer = text
      reader.close()
    })
    reader.once('close', () => {
      stop.removeEventListener('abort', end)
      if (answer === undefined) reject(interruptedBy(stop))
      else resolve(answer)
    })
    stop.addEventListener('abort', end, { once: true })
    if (stop.aborted) end()
  })
}

/** Turns off echo with raw mode. Do this before showing the question: a fast typist starts earlier. */
async function withoutEcho<T>(input: NodeJS.ReadableStream, ask: () => Promise<T>): Promise<T> {
  const setRawMode = rawModeOf(input)
  setRawMode?.(true)
  try {
    return await ask()
  } finally {
    setRawMode?.(false)
  }
}

/**
 * Reads one line key by key and edits it as a terminal does, since readline takes a backspace for a character with TERM=dumb. Shows
 * it with `echo`.
 */
function readKeys(
  input: NodeJS.ReadableStream,
  stop: AbortSignal,
  echo: (text: string) => void = () => {},
): Promise<string> {
  emitKeypressEvents(input)
  return new Promise((resolve, reject) => {
    let answer: readonly string[] = []
    const end = (settle: () => void) => {
      input.off('keypress', onKey)
      input.off('end', cancel)
      input.pause()
      stop.removeEventListener('abort', cancel)
      settle()
    }
    const cancel = () => end(() => reject(interruptedBy(stop)))
    const erase = (from: number) => {
      const width = widthOf(answer.slice(from).join(''))
      echo('\b'.repeat(width) + ' '.repeat(width) + '\b'.repeat(width))
      answer = answer.slice(0, from)
    }
    function onKey(text: string | undefined, { name = '', ctrl }: PressedKey): void {
      if (name === 'escape' || (ctrl && (name === 'c' || name === 'd'))) return cancel()
      if (name === 'return' || name === 'enter') {
        echo('\n')
        return end(() => resolve(answer.join('')))
      }
      if (name === 'backspace') return erase(Math.max(0, answer.length - 1))
      if (ctrl && name === 'u') return erase(0)
      if (text === undefined || /\p{Cc}/u.test(text)) return
      answer = [...answer, text]
      echo(text)
    }
    stop.addEventListener('abort', cancel, { once: true })
    input.on('keypress', onKey)
    input.on('end', cancel)
    input.resume()
    if (stop.aborted) cancel()
  })
}

interface PressedKey {
  readonly name?: string | undefined
  readonly ctrl: boolean
}

interface Lines {
  readonly say: (text: string) => void
  /** Asks, and reads one line. */
  readonly line: (question: string) => Promise<string>
  readonly columns: () => number
  readonly clock: () => number
  readonly stop: AbortSignal
}

/** The width of the number before a row. */
const NUMBER_WIDTH = 6

/** Shows a screen as numbered lines, each time below the last: one line asks, one line answers. */
async function showAsLines<State, Answer>(
  screen: Screen<State, Answer>,
  { say, line, columns, clock, stop }: Lines,
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
      const halt = () => reject(interruptedBy(stop))
      onChange = () => {
        stop.removeEventListener('abort', halt)
        resolve()
      }
      if (stop.aborted) halt()
      stop.addEventListener('abort', halt, { once: true })
    })
  follow()
  for (;;) {
    while (end.by === undefined && screen.isWaiting?.(state) === true) await changed()
    if (end.by !== undefined) return end.by.answer
    const width = columns()
    const picture = screen.picture(state, width - NUMBER_WIDTH)
    for (const text of linesOf(picture, width)) say(`${text}\n`)
    const question = `? ${picture.input?.label ?? 'Choose'} (${howToAnswer(picture)}):`
    const typed = (await line(`${wrapWords(question, width).join('\n')} `)).trim()
    go(stepOf(screen, state, picture, typed, clock()))
  }
}

/** The lines of a picture, wrapped between words; the terminal would break inside them. */
function linesOf({ title, heading, rows, status }: Picture, columns: number): readonly string[] {
  const width = String(rows.length).length + 1
  const indent = ' '.repeat(width + 3)
  const rowOf = (text: string, at: number) => {
    const [first = '', ...more] = wrapWords(text, columns - indent.length)
    return [` ${`#${at + 1}`.padStart(width)}  ${first}`, ...more.map((line) => `${indent}${line}`)]
  }
  return [
    ...(title === undefined ? [] : wrapWords(title, columns)),
    ...(heading === undefined || rows.length === 0 ? [] : [`${indent}${heading}`]),
    ...rows.flatMap(({ text }, at) => rowOf(text, at)),
    ...status.flatMap((text) => wrapWords(text, columns)),
  ]
}

/** How to answer a screen: `#1 for the first, r read again, empty line leave`. */
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
  // A screen that takes whole lines takes all but its letters as words.
  const key = keys.find(
    ({ name, isCtrl }) => name === typed.toLowerCase() && (isCtrl === true || screen.enter === undefined),
  )
  if (key !== undefined) return press(state, key.name, key.isCtrl)
  return screen.enter === undefined ? press(state, typed) : { state: screen.enter(state, typed) }
}
