import { resultOf } from '../../cli/command/result.ts'
import type { CommandSpec } from '../../cli/command/spec.ts'
import { SCENARIOS } from '../../sandbox/domain/scenarios/scenarios.ts'
import { renderTable } from '../../output/table.ts'
import { wrapWords } from '../../output/wrap.ts'
import type { RenderOptions, View } from '../../output/view.ts'

export const command: CommandSpec = {
  path: ['sandbox', 'scenarios'],
  summary: 'List test cards and tokens, and what they do',
  examples: [{ purpose: 'cards, tokens, processors, keys', line: 'pay sandbox scenarios' }],
  run: async ({ noteSandbox }) => {
    await noteSandbox()
    return resultOf(SCENARIOS, scenariosView)
  },
  related: ['sandbox tokenize', 'payment create'],
}

type Rows<Field extends string> = readonly Readonly<Record<Field, string>>[]

const scenariosView: View<typeof SCENARIOS> = {
  ids: ({ paymentMethods }) => paymentMethods.map((method) => method.token),
  csvColumns: [],
  render: (
    { paymentMethods, checkoutMethods, methodTypes, processors, loyaltyConnections, sessions, keys, clock },
    options,
  ) =>
    [
      renderTable(
        [
          { title: 'TOKEN', text: (method) => method.token },
          { title: 'CARD', text: ({ card }) => card ?? '' },
          { title: 'OUTCOME', text: (method) => method.outcome, drop: 1 },
          { title: 'WHAT HAPPENS', text: (method) => method.what, wraps: true },
        ],
        paymentMethods,
        options,
      ),
      renderTable(
        [
          { title: 'METHOD TYPE', text: ({ type }) => type },
          { title: 'CHECKOUT', text: ({ name }) => name },
          { title: 'LIKE', text: ({ token }) => token ?? 'the card' },
        ],
        checkoutMethods,
        options,
      ),
      wrapWords(methodTypes, options.width).join('\n'),
      tableOf({ name: 'PROCESSOR', processorMerchantId: 'MERCHANT ID', what: '' }, processors, options),
      tableOf({ connectionId: 'LOYALTY CONNECTION', what: '' }, loyaltyConnections, options),
      tableOf({ metadata: 'METADATA OF A SESSION', what: '' }, sessions, options),
      tableOf({ key: 'KEY', what: 'MAY' }, keys, options),
      tableOf({ event: 'ON THE CLOCK', after: 'AFTER', what: '' }, clock, options),
    ].join('\n\n'),
}

/** One column for each field, with the given titles. */
function tableOf<Field extends string>(
  { what, ...titles }: Readonly<Record<Field | 'what', string>>,
  rows: Rows<NoInfer<Field> | 'what'>,
  options: RenderOptions,
): string {
  const fields = Object.entries<string>(titles).map(([field, title]) => ({
    title,
    text: (row: Readonly<Record<string, string>>) => row[field] ?? '',
  }))
  return renderTable(
    [...fields, { title: what, text: (row) => row['what'] ?? '', wraps: true }],
    rows,
    options,
  )
}
