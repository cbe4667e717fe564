import { textFlag } from '../../cli/command/input.ts'
import type { Invocation } from '../../cli/command/invocation.ts'
import type { Offer } from '../../cli/command/flags.ts'
import { renderMethodChoices } from '../../views/instrument/choices.ts'
import { loadCustomerMethods } from './customer-methods.ts'

/** Asks for a customer and lists their saved methods to choose from, since no one remembers a token. */
export async function listMethodChoices(invocation: Invocation): Promise<Offer | undefined> {
  if (invocation.settings.mode !== 'send') return undefined
  const customerId =
    textFlag(invocation.input, 'customer-id') ??
    (await (await invocation.prompts()).text({ label: 'Customer ID', hint: 'leave empty to type the token' }))
  if (customerId.trim() === '') return undefined
  const methods = (await loadCustomerMethods(invocation, customerId.trim())).filter(
    ({ deleted }) => deleted !== true,
  )
  const { context } = invocation
  return renderMethodChoices(methods, { width: context.stderr.columns, timeZone: context.timeZone() })
}
