import { textFlag } from '../../cli/command/input.ts'
import type { Invocation } from '../../cli/command/invocation.ts'
import type { Offer } from '../../cli/command/flags.ts'
import { loadCustomerMethods } from './customer-methods.ts'
import type { Instrument } from '../../api/models/instrument.ts'
import type { RenderOptions } from '../../output/view.ts'
import { renderChoiceTable } from '../../views/choice-table.ts'
import { formatMethodWithExpiry } from '../../views/payment-method.ts'
import { formatFreeText } from '../../views/format-fields.ts'
import { formatMinute } from '../../views/format-time.ts'

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

/** Saved methods to choose from, described without their tokens. */
function renderMethodChoices(
  methods: readonly Instrument[],
  { width, timeZone }: Pick<RenderOptions, 'width' | 'timeZone'>,
) {
  const offered = methods.filter(({ token }) => token !== undefined && token !== '')
  const { heading, lines } = renderChoiceTable(
    [
      { title: 'METHOD', text: (method) => formatMethodWithExpiry(method) ?? 'unknown' },
      { title: 'DEFAULT', text: (method) => (method.default === true ? '✓ default' : ''), drop: 1 },
      { title: 'DESCRIPTION', text: ({ description }) => formatFreeText(description) ?? '', drop: 2 },
      { title: 'CREATED', text: ({ createdAt }) => formatMinute(createdAt, timeZone) ?? '', drop: 3 },
    ],
    offered,
    width,
  )
  return {
    heading,
    choices: offered.map(({ token = '' }, at) => ({ value: token, text: lines[at] ?? '' })),
  }
}
