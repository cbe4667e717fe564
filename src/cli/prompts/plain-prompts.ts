import { createInterface } from 'node:readline'
import { interruptedBy } from '../../errors.ts'
import { safeText } from '../../output/safe-text.ts'
import { wrapWords } from '../../output/wrap.ts'
import { discardKeys } from './guarded.ts'
import { sizeOf } from './in-place.ts'
import { matchesOf } from './match-choices.ts'
import { showAsLines } from './screen-lines.ts'
import { QUIET_MS } from '../command/prompts-port.ts'
import type {
  Choice,
  ChoiceQuestion,
  FoundChoices,
  PromptStreams,
  Prompts,
  Question,
} from '../command/prompts-port.ts'

interface Terminal {
  readonly setRawMode: (isRaw: boolean) => unknown
}

/**
 * Prompts for terminals that cannot move the cursor (TERM=dumb) and for screen readers. @inquirer/prompts has no mode for
 * them. One line asks, one line answers; a choice is a number such as #2.
 */
export function createPlainPrompts(streams: PromptStreams, stop: AbortSignal, clock: () => number): Prompts {
  const say = (text: string) => void streams.output.write(text)
  const wrapped = (text: string) => wrapWords(safeText(text), sizeOf(streams.output).columns).join('\n')
  const line = () => readLine(streams.input, stop)
  /** A line that comes too early was typed before the question was there. */
  const guardedLine = async (): Promise<string> => {
    for (let lastMs = clock(); ; lastMs = clock()) {
      const answer = await line()
      if (clock() - lastMs >= QUIET_MS) return answer
    }
  }

  async function ask({ label, hint, check, interpret }: Question, read: () => Promise<string>) {
    for (;;) {
      say(`${wrapped(`? ${hint === undefined ? label : `${label} (${hint})`}:`)} `)
      const answer = await read()
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
    secret: (question) =>
      withoutEcho(streams.input, () =>
        ask(question, async () => {
          const answer = await readHidden(streams.input, stop)
          say('\n')
          return answer
        }),
      ),
    confirm: async ({ sentence, isGuarded = false }) => {
      const answer = await ask(
        {
          label: `${sentence} y/N`,
          check: (typed) => (/^(?:y|yes|n|no|)$/i.test(typed.trim()) ? undefined : 'Answer y or n'),
        },
        isGuarded ? guardedLine : line,
      )
      return /^y/i.test(answer.trim())
    },
    choose,
    show: (screen) => showAsLines(screen, { say, line, clock, stop }),
    discardKeys: () => discardKeys(streams.input, stop),
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

const [CTRL_C, CTRL_D, BACKSPACE, DELETE, ESCAPE] = ['\u0003', '\u0004', '\b', '\u007f', '\u001b']

/** Turns off echo with raw mode. Do this before showing the question: a fast typist starts earlier. */
async function withoutEcho<T>(input: NodeJS.ReadableStream, ask: () => Promise<T>): Promise<T> {
  if (!isTerminal(input)) return ask()
  input.setRawMode(true)
  try {
    return await ask()
  } finally {
    input.setRawMode(false)
  }
}

/** Reads one line key by key: with TERM=dumb, readline takes a backspace for a character. */
function readHidden(input: NodeJS.ReadableStream, stop: AbortSignal): Promise<string> {
  if (!isTerminal(input)) return readLine(input, stop)
  return new Promise<string>((resolve, reject) => {
    let answer = ''
    const end = (settle: () => void) => {
      input.off('data', onData)
      input.pause()
      stop.removeEventListener('abort', cancel)
      settle()
    }
    const cancel = () => end(() => reject(interruptedBy(stop)))
    function onData(data: unknown): void {
      for (const key of String(data)) {
        if (key === '\r' || key === '\n') return end(() => resolve(answer))
        if (key === CTRL_C || key === CTRL_D || key === ESCAPE) return cancel()
        answer = key === BACKSPACE || key === DELETE ? answer.slice(0, -1) : answer + key
      }
    }
    stop.addEventListener('abort', cancel, { once: true })
    input.on('data', onData)
    input.resume()
    if (stop.aborted) cancel()
  })
}

const isTerminal = (
  input: NodeJS.ReadableStream & Partial<Terminal>,
): input is NodeJS.ReadableStream & Terminal => typeof input.setRawMode === 'function'
