import { createPrompt, isDownKey, isEnterKey, isUpKey, useKeypress, useState } from '@inquirer/core'
import { safeText } from '../output/safe-text.ts'
import type { Paint } from '../output/paint.ts'
import { truncate, widthOf } from '../output/width.ts'
import { wrapWords } from '../output/wrap.ts'
import { firstActive, rowsFor, steppedFrom, windowOf, wordsOf } from './choice-rows.ts'
import type { ChoiceRow } from './choice-rows.ts'
import type { ChoiceQuestion, Question } from './prompts-port.ts'

/**
 * Questions that no prompt of the library asks: with a line below that follows what is typed, and with choices to search.
 * Its own search finds asynchronously: an Enter that comes in one go with the words, as over a slow line, is lost there.
 */

interface Look {
  readonly paint: Paint
  /** Of the terminal. */
  readonly columns: number
}

const MOST_ROWS = 8
/** An id has at most so many signs, and is not cut. */
const SHORTEST = 40

export const messageOf = ({ label, hint }: Pick<Question, 'label' | 'hint'>): string =>
  safeText(hint === undefined ? `${label}:` : `${label} (${hint}):`)

/** What a question says first: `? `, or the mark of an answer. */
const MARK_WIDTH = 2
/** Less room than this is of no use. */
const NARROWEST = 20

/** The library breaks lines inside words. Lines after the first stand below the words of the first, not below the mark. */
export const foldedWords = (text: string, columns: number): string =>
  wrapWords(text, Math.max(NARROWEST, columns - MARK_WIDTH)).join(`\n${' '.repeat(MARK_WIDTH)}`)

export const drawText = createPrompt<string, { readonly question: Question; readonly look: Look }>(
  ({ question, look: { paint, columns } }, done) => {
    const [answer, setAnswer] = useState('')
    const [problem, setProblem] = useState<string | undefined>()
    const [isDone, setDone] = useState(false)
    useKeypress((key, line) => {
      if (!isEnterKey(key)) {
        setAnswer(line.line)
        setProblem(undefined)
        return
      }
      const found = question.check?.(answer)
      if (found === undefined) {
        setDone(true)
        done(answer)
        return
      }
      // The library has taken the line away: it is put back, to be mended.
      line.write(answer)
      setProblem(found)
    })
    const message = paint(foldedWords(messageOf(question), columns), 'strong')
    if (isDone) {
      const meaning = answer === '' ? undefined : question.meaning?.(answer)
      return `✓ ${message} ${paint(answer, 'accent')}${meaning === undefined ? '' : `  ${paint(safeText(meaning), 'dim')}`}`
    }
    const below =
      problem === undefined
        ? paint(safeText(question.meaning?.(answer) ?? ''), 'dim')
        : paint(`! ${foldedWords(safeText(problem), columns)}`, 'bad')
    return [`? ${message} ${answer}`, below]
  },
)

export const drawChoice = createPrompt<string, { readonly question: ChoiceQuestion; readonly look: Look }>(
  ({ question, look: { paint, columns } }, done) => {
    const [term, setTerm] = useState('')
    const [isTyping, setTyping] = useState(false)
    const [active, setActive] = useState<number | undefined>(0)
    const [problem, setProblem] = useState<string | undefined>()
    const [taken, setTaken] = useState<string | undefined>()
    const rows = rowsFor(question, term, isTyping)
    useKeypress((key, line) => {
      const row = active === undefined ? undefined : rows[active]
      if (isUpKey(key) || isDownKey(key)) {
        // The library answers these keys with what was typed before.
        line.clearLine(0)
        line.write(term)
        setActive(steppedFrom(active, isUpKey(key) ? -1 : 1, rows.length))
        setProblem(undefined)
        return
      }
      if (!isEnterKey(key)) {
        if (line.line === term) return
        setTerm(line.line)
        setProblem(undefined)
        setActive(firstActive(rowsFor(question, line.line, isTyping), line.line))
        return
      }
      if (row?.kind === 'other') {
        setTyping(true)
        setActive(0)
        return
      }
      const answer = row?.kind === 'choice' ? row.choice.value : row?.answer
      const found = problemOf(row, rows.length, question)
      if (answer === undefined || found !== undefined) {
        line.write(term)
        setProblem(found)
        return
      }
      setTaken(row === undefined || row.kind !== 'choice' ? answer : row.choice.text)
      done(answer)
    })
    const message = paint(messageOf(question), 'strong')
    if (taken !== undefined) {
      const room = columns - widthOf(messageOf(question)) - 4
      return `✓ ${message} ${paint(truncate(safeText(taken), Math.max(SHORTEST, room)), 'accent')}`
    }
    const { from, to } = windowOf(rows.length, active ?? 0, MOST_ROWS)
    const fit = (text: string) => truncate(text, Math.max(8, columns - 1))
    const lines = rows.slice(from, to).map((row, at) => {
      const isActive = from + at === active
      const text = fit(`${isActive ? '>' : ' '} ${safeText(wordsOf(row))}`)
      return isActive ? paint(text, 'accent') : text
    })
    const hidden = rows.length - (to - from)
    const below = [
      ...(problem === undefined ? [] : [paint(`! ${safeText(problem)}`, 'bad')]),
      ...(question.heading === undefined || isTyping ? [] : [paint(fit(`  ${question.heading}`), 'dim')]),
      ...lines,
      ...(rows.length === 0 && !isTyping ? [fit('  nothing matches')] : []),
      ...(hidden > 0 ? [fit(`  … and ${hidden} more`)] : []),
      paint(fit(isTyping ? 'Enter takes it, Esc gives up' : HELP), 'dim'),
    ]
    return [`? ${message} ${term}`, below.join('\n')]
  },
)

function problemOf(row: ChoiceRow | undefined, count: number, { typed }: ChoiceQuestion): string | undefined {
  if (row === undefined) return count > 1 ? 'Several match: choose with the arrows' : 'Nothing was typed'
  return row.kind === 'typed' ? typed?.check?.(row.answer) : undefined
}

const HELP = 'Up and down choose, typing searches, Esc gives up'
