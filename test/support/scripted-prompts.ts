import type { ChoiceQuestion, PromptOptions, Prompts, Question } from '../../src/cli/command/prompts-port.ts'

export type { PromptOptions, Prompts }
export type Answers = Readonly<Record<string, string | boolean>>

/** The questions of a command, filled in while it runs. */
export interface Asked {
  readonly questions: string[]
  /** The rows of each choice, by its label. */
  readonly offered: Record<string, readonly string[]>
}

/**
 * Prompts that answer from a table, by the label of each question. A question without an answer, one that is asked twice and
 * an answer that the command refuses all throw, and so fail the test. A question that can be skipped is.
 */
export function scriptedPrompts(answers: Answers, asked: Asked): Prompts {
  const used = new Set<string>()
  const take = (label: string): string | boolean => {
    const answer = answers[label]
    if (answer === undefined) throw new Error(`asked without an answer: ${label}`)
    if (used.has(label)) throw new Error(`asked twice: ${label}`)
    used.add(label)
    asked.questions.push(label)
    return answer
  }
  const text = async (question: Question): Promise<string> => {
    if (question.canSkip && answers[question.label] === undefined) return ''
    const answer = String(take(question.label))
    const problem = question.check?.(answer)
    if (problem !== undefined) throw new Error(`the answer to ${question.label} was refused: ${problem}`)
    return answer
  }
  /** Takes one of the choices, the only one that a search finds, or any text if the question allows typing another value. */
  const choose = async ({ label, choices, freeText, search }: ChoiceQuestion): Promise<string> => {
    asked.offered[label] = choices.map((choice) => choice.text)
    const answer = String(take(label))
    if (choices.some(({ value }) => value === answer)) return answer
    const found = await search?.(answer, new AbortController().signal)
    if (found !== undefined)
      asked.offered[`${label}: ${answer}`] = [...found.choices.map(({ text: row }) => row), found.note]
    const [only, ...more] = found?.choices ?? []
    if (only !== undefined && more.length === 0) return only.value
    if (freeText === undefined) throw new Error(`the answer to ${label} is none of the choices`)
    return answer
  }
  return {
    text,
    secret: text,
    choose,
    confirm: async ({ sentence }) => take(Object.hasOwn(answers, sentence) ? sentence : 'Confirm') === true,
    show: () => Promise.reject(new Error('a screen needs a terminal: pass `prompts`')),
  }
}
