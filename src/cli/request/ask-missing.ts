import { CURRENCY_CODES } from '../../money/currencies.ts'
import { amountQuestion, askForAmount } from './ask-amount.ts'
import { checkWith } from '../command/prompts-port.ts'
import type { Question } from '../command/prompts-port.ts'
import type { Draft } from '../command/draft.ts'
import { textAt } from '../../json/fields.ts'
import type { CommandRun } from '../command/spec.ts'
import { labelOf } from '../parse/command-flags.ts'
import type { ArgumentSpec, FlagSpec, Offer } from '../command/flags.ts'

/** Questions for missing values: with choices where there are any. */

/** Asks for an argument or a flag until the answer is valid. */
export async function askValue(
  invocation: CommandRun,
  name: string,
  { ask, hint, help, choices, check, secret, offer }: Omit<ArgumentSpec, 'name'>,
): Promise<string> {
  const question = {
    label: ask ?? labelOf(name),
    hint: hint ?? help,
    check: (answer: string) =>
      answer.trim() === ''
        ? 'An answer is required'
        : check === undefined
          ? undefined
          : checkWith((typed) => check(typed, invocation.context))(answer.trim()),
  }
  const answer = await askOffering(invocation, question, {
    offer: choices === undefined ? await offer?.(invocation) : offerOf(choices),
    isSecret: secret === true,
  })
  if (secret === true) invocation.keepSecret(answer)
  return answer
}

const offerOf = (values: readonly string[]): Offer => ({
  choices: values.map((value) => ({ value, text: value })),
})

async function askOffering(
  invocation: CommandRun,
  question: Question,
  { offer, isSecret }: { readonly offer: Offer | undefined; readonly isSecret: boolean },
): Promise<string> {
  const prompts = await invocation.prompts()
  if (offer !== undefined && offer.choices.length > 0)
    return (await prompts.choose({ label: question.label, ...offer })).trim()
  return isSecret ? prompts.secret(question) : (await prompts.text(question)).trim()
}

/** Asks for a flag. Returns the answer as the flag takes it; empty if it is empty. */
export async function askForFlag(
  invocation: CommandRun,
  draft: Draft,
  { name, flag }: { readonly name: string; readonly flag: FlagSpec },
): Promise<string> {
  const label = flag.ask ?? labelOf(name)
  const empty = flag.defaultsTo === undefined ? '' : `; empty: ${flag.defaultsTo}`
  // The flag also takes minor units, but people type amounts.
  const help = flag.kind === 'amount' ? 'such as 7.00 EUR' : (flag.hint ?? flag.help)
  const hint = `${help}${empty}`
  if (flag.kind === 'amount') {
    const facts = { label, hint, currencyCode: textAt(draft.body, 'currencyCode'), allowZero: true }
    const question = amountQuestion(facts)
    const mayBeEmpty = flag.defaultsTo !== undefined
    return askForAmount(invocation, facts, {
      ...question,
      check: (answer) => (mayBeEmpty && answer.trim() === '' ? undefined : question.check?.(answer)),
    })
  }
  const offer = flag.kind === 'currency' ? offerOf(CURRENCY_CODES) : undefined
  return askOffering(invocation, { label, hint }, { offer, isSecret: flag.secret === true })
}
