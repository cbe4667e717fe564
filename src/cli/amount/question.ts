import { formatMoney } from '../../money/format.ts'
import { interpretAmount, readAmount, readingsOf } from '../../money/read-amount.ts'
import type { AmountFacts } from '../../money/read-amount.ts'
import { checkWith } from '../command/check-with.ts'
import type { Invocation } from '../command/invocation.ts'
import type { Question } from '../command/prompts-port.ts'

/** A question that checks the amount and shows how it is understood: `12.50 EUR = 1250`. */
export function amountQuestion(facts: AmountFacts): Question {
  return {
    label: facts.label,
    hint: facts.hint,
    // Of two readings, one may be too much.
    check: checkWith((text) => readAmount(facts, readingsOf(facts, text).at(-1) ?? text)),
    interpret: (text) => interpretAmount(facts, text),
  }
}

/**
 * Asks for an amount, and which one is meant where it has two readings. Returns it as a flag takes it; empty if the answer is
 * empty or the amount is unknown.
 */
export async function askForAmount(
  { prompts, warn }: Pick<Invocation, 'prompts' | 'warn'>,
  facts: AmountFacts,
  question: Question = amountQuestion(facts),
): Promise<string> {
  const { text } = await prompts()
  for (;;) {
    const typed = await text(question)
    const readings = readingsOf(facts, typed)
    const meant = readings.length === 0 ? typed : readingOf(readings, await text(whichOf(facts, readings)))
    const problem = question.check?.(meant)
    if (problem === undefined) return asFlag(facts, meant)
    await warn(problem)
  }
}

function asFlag(facts: AmountFacts, text: string): string {
  if (facts.currencyCode === undefined) return text
  const amountMinor =
    text.trim() === '' && facts.fullAmount === undefined ? undefined : readAmount(facts, text)
  return amountMinor === undefined ? '' : formatMoney(amountMinor, facts.currencyCode)
}

/** Takes the number of a reading, or the amount with its decimals. */
const whichOf = (facts: AmountFacts, readings: readonly string[]): Question => ({
  label: `${readings.join(' or ')}?`,
  hint: '1 for the first, 2 for the second',
  check: (answer) =>
    readings.includes(readingOf(readings, answer)) ? undefined : `Type 1 for ${readings.join(', or 2 for ')}`,
  interpret: (answer) => interpretAmount(facts, readingOf(readings, answer)),
})

const readingOf = (readings: readonly string[], answer: string): string => {
  const typed = answer.trim()
  return readings.find((reading, at) => [String(at + 1), reading.split(' ')[0]].includes(typed)) ?? typed
}
