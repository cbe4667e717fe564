import { interpretAmount, readAmount } from '../../money/read-amount.ts'
import type { AmountFacts } from '../../money/read-amount.ts'
import { checkWith } from '../command/check-with.ts'
import type { Question } from '../command/prompts-port.ts'

/** A question that checks the amount and shows how it is understood: `12.50 EUR = 1250`. */
export function amountQuestion(facts: AmountFacts): Question {
  return {
    label: facts.label,
    hint: facts.hint,
    check: checkWith((text) => readAmount(facts, text)),
    interpret: (text) => interpretAmount(facts, text),
  }
}
