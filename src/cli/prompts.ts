import { confirm, password } from '@inquirer/prompts'
import { interruptedBy } from '../errors.ts'
import type { Paint } from '../output/paint.ts'
import { safeText } from '../output/safe-text.ts'
import { drawChoice, drawText, foldedWords, messageOf } from './drawn-prompts.ts'
import type { Prompts } from './prompts-port.ts'

export interface PromptStreams {
  readonly input: NodeJS.ReadableStream
  readonly output: NodeJS.WritableStream
}

/**
 * Questions drawn on a terminal. Esc, Ctrl-C and a closed terminal mean: nothing was sent. What the library would paint by
 * itself, whatever NO_COLOR says, is painted by ours.
 */
export function createPrompts(streams: PromptStreams, stop: AbortSignal, paint: Paint): Prompts {
  const theme = themeOf(paint)
  const asked = <T>(ask: (context: PromptStreams & { readonly signal: AbortSignal }) => Promise<T>) =>
    untilEscape(streams, stop, ask)
  const look = () => ({ paint, columns: columnsOf(streams.output) })
  return {
    text: (question) => asked((context) => drawText({ question, look: look() }, context)),
    secret: (question) =>
      asked((context) =>
        password(
          {
            message: messageOf(question),
            // Stars tell that a paste has arrived. A key that shows the answer in the clear is the library's default.
            mask: true,
            toggleMask: false,
            validate: (answer) => question.check?.(answer) ?? true,
            theme,
          },
          context,
        ),
      ),
    confirm: ({ sentence }) =>
      asked((context) => {
        const message = foldedWords(safeText(sentence), columnsOf(streams.output) - ANSWER_ROOM)
        return confirm({ message, default: false, theme }, context)
      }),
    choose: (question) => asked((context) => drawChoice({ question, look: look() }, context)),
  }
}

const themeOf = (paint: Paint) => ({
  prefix: { idle: '?', done: '✓' },
  style: {
    answer: (text: string) => paint(text, 'accent'),
    message: (text: string) => paint(text, 'strong'),
    error: (text: string) => paint(`! ${safeText(text)}`, 'bad'),
    defaultAnswer: (text: string) => paint(`(${text})`, 'dim'),
    help: (text: string) => paint(text, 'dim'),
    highlight: (text: string) => paint(text, 'accent'),
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
    return await ask({ ...streams, signal: AbortSignal.any([stop, escape.signal]) })
  } catch (error) {
    if (error instanceof Error && ENDINGS.includes(error.name)) throw interruptedBy(stop)
    throw error
  } finally {
    streams.input.off('keypress', onKey)
  }
}

/** ` (y/N) Yes` behind the question. */
const ANSWER_ROOM = 11

const ENDINGS = ['ExitPromptError', 'AbortPromptError', 'CancelPromptError']

/** Some terminals say that they have no columns at all. */
const columnsOf = (output: NodeJS.WritableStream): number =>
  'columns' in output && typeof output.columns === 'number' && output.columns > 0 ? output.columns : 80
