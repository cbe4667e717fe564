import { createInterface } from 'node:readline'
import { interruptedBy } from '../errors.ts'
import { safeText } from '../output/safe-text.ts'
import { rowsFor, rowsMeantBy, wordsOf } from './choice-rows.ts'
import type { ChoiceRow } from './choice-rows.ts'
import type { ChoiceQuestion, Prompts, Question } from './prompts-port.ts'
import type { PromptStreams } from './prompts.ts'

interface Terminal {
  readonly setRawMode: (isRaw: boolean) => unknown
}

/**
 * The same questions for a terminal that moves no cursor (TERM=dumb) and for readers of the screen: a line is asked, a line
 * is answered, and a choice is a number: #2.
 */
export function createPlainPrompts(streams: PromptStreams, stop: AbortSignal): Prompts {
  const say = (text: string) => void streams.output.write(text)
  const line = () => readLine(streams.input, stop)

  async function ask({ label, hint, check, meaning }: Question, read: () => Promise<string>) {
    for (;;) {
      say(`? ${safeText(hint === undefined ? label : `${label} (${hint})`)}: `)
      const answer = await read()
      const problem = check?.(answer)
      if (problem === undefined) {
        const words = answer === '' ? undefined : meaning?.(answer)
        if (words !== undefined) say(`  ${safeText(words)}\n`)
        return answer
      }
      say(`! ${safeText(problem)}\n`)
    }
  }

  async function choose(question: ChoiceQuestion): Promise<string> {
    const { typed, label, hint, heading } = question
    let rows: readonly ChoiceRow[] = rowsFor(question, '', false).filter(({ kind }) => kind === 'choice')
    const list = () => {
      const width = String(rows.length).length
      if (heading !== undefined) say(`${' '.repeat(width + 4)}${safeText(heading)}\n`)
      for (const [at, row] of rows.entries())
        say(` ${`#${at + 1}`.padStart(width + 1)}  ${safeText(wordsOf(row))}\n`)
    }
    list()
    const what =
      typed === undefined
        ? '#1 for the first, or words to search'
        : `#1 for the first, words to search, or ${typed.what}`
    for (;;) {
      const answer = (await ask({ label, hint: hint === undefined ? what : `${hint}; ${what}` }, line)).trim()
      const meant = answer === '' ? [] : rowsMeantBy(question, rows, answer)
      const [row] = meant
      if (meant.length > 1) {
        rows = meant
        list()
      } else if (row?.kind === 'choice') {
        say(`  ${safeText(row.choice.text)}\n`)
        return row.choice.value
      } else {
        const problem = row?.kind === 'typed' ? typed?.check?.(row.answer) : 'That is none of them'
        if (row?.kind === 'typed' && problem === undefined) return row.answer
        say(`! ${safeText(problem ?? '')}\n`)
      }
    }
  }

  return {
    text: (question) => ask(question, line),
    secret: (question) =>
      withoutEcho(streams.input, () =>
        ask(question, async () => {
          const answer = await readHidden(streams.input, stop)
          say('\n')
          return answer
        }),
      ),
    confirm: async ({ sentence }) => {
      const answer = await ask(
        {
          label: `${sentence} y/N`,
          check: (typed) => (/^(?:y|yes|n|no|)$/i.test(typed.trim()) ? undefined : 'Answer y or n'),
        },
        line,
      )
      return /^y/i.test(answer.trim())
    },
    choose,
  }
}

/** One line; the terminal itself shows and mends what is typed. */
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

const [CTRL_C, CTRL_D, BACKSPACE, DELETE, ESCAPE] = ['\u0003', '\u0004', '\b', '\u007f', '\u001b']

/** In its raw mode a terminal shows nothing by itself. Before the question: whoever is quick has typed by then. */
async function withoutEcho<T>(input: NodeJS.ReadableStream, ask: () => Promise<T>): Promise<T> {
  if (!isTerminal(input)) return ask()
  input.setRawMode(true)
  try {
    return await ask()
  } finally {
    input.setRawMode(false)
  }
}

/** A line of keys that nobody else has read. */
function readHidden(input: NodeJS.ReadableStream, stop: AbortSignal): Promise<string> {
  if (!isTerminal(input)) return readLine(input, stop)
  return new Promise<string>((resolve, reject) => {
    let answer = ''
    const end = (settle: () => void) => {
      input.off('data', onData)
      input.pause()
      stop.removeEventListener('abort', give)
      settle()
    }
    const give = () => end(() => reject(interruptedBy(stop)))
    function onData(data: unknown): void {
      for (const sign of String(data)) {
        if (sign === '\r' || sign === '\n') return end(() => resolve(answer))
        if (sign === CTRL_C || sign === CTRL_D || sign === ESCAPE) return give()
        answer = sign === BACKSPACE || sign === DELETE ? answer.slice(0, -1) : answer + sign
      }
    }
    stop.addEventListener('abort', give, { once: true })
    input.on('data', onData)
    input.resume()
    if (stop.aborted) give()
  })
}

const isTerminal = (
  input: NodeJS.ReadableStream & Partial<Terminal>,
): input is NodeJS.ReadableStream & Terminal => typeof input.setRawMode === 'function'
