import { PayError } from '../../errors.ts'
import { CURRENCY_CODES } from '../../money/currencies.ts'
import { amountQuestion } from '../amount/question.ts'
import { checkWith } from '../command/check-with.ts'
import { applyFlag } from './start-draft.ts'
import type { Draft } from '../command/draft.ts'
import { fieldAt } from '../parse/field-path.ts'
import type { CommandRun } from '../command/spec.ts'
import { labelOf } from '../parse/command-flags.ts'
import type { Question } from '../command/prompts-port.ts'
import type { ArgumentSpec, FlagSpec, Offer } from '../command/flags.ts'

/** Questions for missing values: with choices where there are any. */

export async function askArgument(
  invocation: CommandRun,
  draft: Draft,
  argument: ArgumentSpec,
): Promise<Draft> {
  const answer = await askValue(invocation, argument.name, argument)
  return argument.param === undefined
    ? draft
    : { ...draft, params: { ...draft.params, [argument.param]: answer } }
}

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

export async function askFlag(
  invocation: CommandRun,
  draft: Draft,
  name: string,
  flag: FlagSpec,
): Promise<Draft> {
  const question = questionFor(draft, name, flag)
  const offer = flag.kind === 'currency' ? offerOf(CURRENCY_CODES) : undefined
  for (;;) {
    const answer = await askOffering(invocation, question, { offer, isSecret: flag.secret === true })
    if (answer.trim() === '' && flag.defaultsTo !== undefined) return draft
    try {
      return await applyFlag(invocation, draft, name, flag, answer.trim())
    } catch (error) {
      if (!(error instanceof PayError)) throw error
      await invocation.warn(error.message)
    }
  }
}

function questionFor(draft: Draft, name: string, flag: FlagSpec): Question {
  const label = flag.ask ?? labelOf(name)
  const empty = flag.defaultsTo === undefined ? '' : `; empty: ${flag.defaultsTo}`
  // The flag also takes minor units, but people type amounts.
  const help = flag.kind === 'amount' ? 'such as 7.00 EUR' : (flag.hint ?? flag.help)
  const hint = `${help}${empty}`
  if (flag.kind !== 'amount') return { label, hint }
  const knownCurrency = fieldAt(draft.body, ['currencyCode'])
  const currencyCode = typeof knownCurrency === 'string' ? knownCurrency : undefined
  const question = amountQuestion({ label, hint, currencyCode, allowZero: true })
  const mayBeEmpty = flag.defaultsTo !== undefined
  return {
    ...question,
    check: (answer) => (mayBeEmpty && answer.trim() === '' ? undefined : question.check?.(answer)),
  }
}
