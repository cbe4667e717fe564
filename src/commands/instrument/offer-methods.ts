import { textFlag } from '../../cli/command/input.ts'
import type { Invocation } from '../../cli/command/invocation.ts'
import type { Offer } from '../../cli/command/flags.ts'
import { renderMethodChoices } from '../../views/instrument/choices.ts'
import { learnMethods } from './known-methods.ts'

/** The saved methods of a customer, who is asked for: a token is nothing that people know by heart. */
export async function offerMethods(invocation: Invocation): Promise<Offer | undefined> {
  if (invocation.settings.mode !== 'send') return undefined
  const customerId =
    textFlag(invocation.input, 'customer-id') ??
    (await (await invocation.prompts()).text({ label: 'Customer ID', hint: 'empty: type the token' }))
  if (customerId.trim() === '') return undefined
  const methods = (await learnMethods(invocation, customerId.trim())).filter(
    ({ deleted }) => deleted !== true,
  )
  const { context } = invocation
  return renderMethodChoices(methods, { width: context.stderr.columns, timeZone: context.timeZone() })
}
