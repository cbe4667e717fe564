import { setTimeout } from 'node:timers/promises'
import { Separator, confirm, input, password, search } from '@inquirer/prompts'
import { interruptedBy } from '../../errors.ts'
import type { Paint } from '../../output/paint.ts'
import { safeText } from '../../output/safe-text.ts'
import { truncate, widthOf } from '../../output/width.ts'
import { wrapWords } from '../../output/wrap.ts'
import { askAfterQuiet } from './fresh-keys.ts'
import { showInPlace, sizeOf } from './in-place.ts'
import { matchesOf } from './match-choices.ts'
import type {
  Choice,
  ChoiceQuestion,
  FoundChoices,
  PromptOptions,
  PromptStreams,
  Prompts,
  Question,
} from '../command/prompts-port.ts'

/**
 * Prompts on a terminal with @inquirer/prompts. Esc, Ctrl-C and a closed terminal cancel the command. `clock` is for durations,
 * in milliseconds.
 */
export function createPrompts(
  streams: PromptStreams,
  stop: AbortSignal,
  paint: Paint,
  clock: () => number,
  options: PromptOptions,
): Prompts {
  const draw = <T>(ask: (used: PromptStreams) => Promise<T>, { isGuarded } = options): Promise<T> =>
    isGuarded ? askAfterQuiet(streams, { stop, clock, marksPastes: true }, ask) : ask(streams)
  const askUntilEscape = <T>(
    ask: (context: PromptStreams & { readonly signal: AbortSignal }) => Promise<T>,
    guard?: PromptOptions,
  ) => draw((used) => untilEscape(used, stop, ask), guard)
  const columns = () => sizeOf(streams.output).columns
  const theme = () => themeOf(paint, columns())
  return {
    text: (question) =>
      askUntilEscape((context) => {
        const asked = messageOf(question, columns())
        const room = columns() - MARK_WIDTH - widthOf(asked.split('\n').at(-1) ?? '')
        return input(
          {
            message: asked,
            validate: (answer) => question.check?.(answer) ?? true,
            ...showInterpretation(question, { paint, room }),
            theme: theme(),
          },
          context,
        )
      }),
    secret: (question) =>
      askUntilEscape((context) =>
        password(
          {
            message: messageOf(question, columns()),
            // Asterisks show that a paste has arrived. By default, the library has a key that reveals the answer.
            mask: true,
            toggleMask: false,
            validate: (answer) => question.check?.(answer) ?? true,
            theme: theme(),
          },
          context,
        ),
      ),
    confirm: ({ sentence }) =>
      askUntilEscape(
        (context) => {
          const message = wrapAndAlign(safeText(sentence), columns() - ANSWER_ROOM)
          return confirm({ message, default: false, theme: theme() }, context)
        },
        { isGuarded: true },
      ),
    choose: (question) =>
      askUntilEscape((context) => search(choicesOf(question, { columns: columns(), paint }), context)),
    show: (screen) =>
      draw((used) => cancelledBy(stop, () => showInPlace(screen, used, { signal: stop, paint, clock })), {
        isGuarded: screen.isGuarded === true,
      }),
  }
}

const MAX_ROWS = 9
/** How long to wait for another key before a search. */
const PAUSE_MS = 200
/** The width of ` (y/N) Yes` after the question. */
const ANSWER_ROOM = 11
/** The width of the mark before a question, an answer or a choice: `? `. */
const MARK_WIDTH = 2
/** Wrap at this width even on a narrower terminal. */
const MIN_WIDTH = 20
/** The length of the longest ID, which must not be truncated. */
const LONGEST_ID = 40

/**
 * Shows the interpretation next to the question, which leaves it `room` columns, else below it; and the answer on a separate
 * line, because the library puts the cursor after everything on that line.
 */
function showInterpretation(
  { interpret }: Question,
  { paint, room }: { readonly paint: Paint; readonly room: number },
) {
  if (interpret === undefined) return {}
  const below = `\n${' '.repeat(MARK_WIDTH)}`
  return {
    transformer: (answer: string, { isFinal }: { readonly isFinal: boolean }): string => {
      const text = answer === '' ? '' : safeText(interpret(answer) ?? '')
      const used = (isFinal ? widthOf(answer) : 0) + widthOf(text) + 3
      const interpretation = `${text === '' || used < room ? ' ' : below}${paint(text, 'dim')}`
      return isFinal ? `${paint(answer, 'accent')} ${interpretation}` : `${interpretation}${below}${answer}`
    },
  }
}

/**
 * The settings of a search prompt. Enter takes the first row. If free text is allowed, the first row is never a choice that
 * merely contains the text: a refund must go to exactly the payment that was typed.
 */
function choicesOf(
  question: ChoiceQuestion,
  { columns, paint }: { readonly columns: number; readonly paint: Paint },
) {
  const { freeText, search: find } = question
  const message = messageOf(question, columns)
  const room = columns - MARK_WIDTH - 1
  const shortRoom = Math.max(LONGEST_ID, columns - widthOf(message) - MARK_WIDTH - 2)
  const separator = (text: string) => new Separator(paint(truncate(` ${safeText(text)}`, room), 'dim'))
  let listed: Pick<ChoiceQuestion, 'choices' | 'heading'> = question
  const rowOf = ({ value, text }: Choice) => ({
    value,
    name: truncate(safeText(text), room),
    short: truncate(safeText(text), shortRoom),
  })
  const titlesOf = (heading: string | undefined) => (heading === undefined ? [] : [separator(heading)])
  /** Whether Tab has completed the text to the row of this choice. */
  const isCompleted = (choice: Choice, text: string) => rowOf(choice).name.trim() === text.trim()
  const listedRows = (text: string) => {
    const { exact, partial, freeText: typed } = matchesOf({ ...question, ...listed }, text)
    const [completed, ...more] = listed.choices.filter((choice) => isCompleted(choice, text))
    const first = exact ?? (more.length === 0 ? completed : undefined)
    const others = partial.filter((choice) => choice !== first).map(rowOf)
    const titled = partial.length === 0 ? [] : titlesOf(listed.heading)
    return first === undefined
      ? [...typedRows(typed), ...titled, ...others]
      : [...titled, rowOf(first), ...others, ...typedRows(typed)]
  }
  /** The rows of a search. It has also looked for a payment with this ID, so what is typed is offered only if nothing is found. */
  const foundRows = ({ choices, heading, note }: FoundChoices, text: string) => {
    const { exact, freeText: typed } = matchesOf({ ...question, choices }, text)
    const rows = exact === undefined ? choices : [exact, ...choices.filter((choice) => choice !== exact)]
    const shown = rows.length === 0 ? typedRows(typed) : [...titlesOf(heading), ...rows.map(rowOf)]
    return [...shown, separator(note)]
  }
  const help =
    freeText === undefined
      ? 'Arrow keys choose, typing searches, Esc cancels'
      : `Arrow keys choose, type to search or to enter ${freeText.what}, Esc cancels`
  return {
    message,
    pageSize: MAX_ROWS,
    theme: themeOf(paint, columns, help),
    source: async (text: string | undefined = '', { signal }: { readonly signal: AbortSignal }) => {
      if (text.trim() === '') listed = question
      if (
        find === undefined ||
        text.trim() === '' ||
        listed.choices.some((choice) => isCompleted(choice, text))
      )
        return listedRows(text)
      await setTimeout(PAUSE_MS, undefined, { signal })
      const found = await find(text, signal)
      listed = found
      return foundRows(found, text)
    },
  }
}

const typedRows = (typed: string | undefined) =>
  typed === undefined
    ? []
    : [{ value: typed, name: safeText(typed), description: `Enter takes "${safeText(typed)}"` }]

const messageOf = ({ label, hint }: Pick<Question, 'label' | 'hint'>, columns: number): string =>
  wrapAndAlign(safeText(hint === undefined ? `${label}:` : `${label} (${hint}):`), columns)

/** Wraps at spaces, since the library breaks inside words. Further lines align with the text, not with the mark. */
const wrapAndAlign = (text: string, columns: number): string =>
  wrapWords(text, Math.max(MIN_WIDTH, columns - MARK_WIDTH)).join(`\n${' '.repeat(MARK_WIDTH)}`)

/** Replaces the library's colours, which ignore NO_COLOR. */
const themeOf = (paint: Paint, columns: number, help = '') => ({
  prefix: { idle: '?', done: '✓' },
  icon: { cursor: '>' },
  style: {
    answer: (text: string) => paint(text, 'accent'),
    message: (text: string) => paint(text, 'strong'),
    error: (text: string) => paint(`! ${wrapAndAlign(safeText(text), columns)}`, 'bad'),
    defaultAnswer: (text: string) => paint(`(${text})`, 'dim'),
    help: (text: string) => paint(text, 'dim'),
    highlight: (text: string) => paint(text, 'accent'),
    searchTerm: (text: string) => text,
    description: (text: string) => paint(text, 'dim'),
    keysHelpTip: () => paint(wrapWords(help, columns).join('\n'), 'dim'),
    key: (text: string) => text,
  },
})

async function untilEscape<T>(
  streams: PromptStreams,
  stop: AbortSignal,
  ask: (context: PromptStreams & { readonly signal: AbortSignal }) => Promise<T>,
): Promise<T> {
  const escape = new AbortController()
  const onKey = (_: unknown, key: { readonly name?: string } | undefined): void => {
    if (key?.name === 'escape') escape.abort()
  }
  streams.input.on('keypress', onKey)
  try {
    return await cancelledBy(stop, () => ask({ ...streams, signal: AbortSignal.any([stop, escape.signal]) }))
  } finally {
    streams.input.off('keypress', onKey)
  }
}

async function cancelledBy<T>(stop: AbortSignal, ask: () => Promise<T>): Promise<T> {
  try {
    return await ask()
  } catch (error) {
    if (error instanceof Error && CANCEL_ERRORS.includes(error.name)) throw interruptedBy(stop)
    throw error
  }
}

const CANCEL_ERRORS = ['ExitPromptError', 'AbortPromptError', 'CancelPromptError']
