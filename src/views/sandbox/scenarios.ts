import { renderTable } from '../../output/table.ts'
import type { RenderOptions, View } from '../../output/view.ts'

type Rows<Field extends string> = readonly Readonly<Record<Field, string>>[]

/** Everything that the sandbox can simulate. The data comes from the sandbox itself, so it is safe to print. */
interface Scenarios {
  readonly paymentMethods: readonly {
    readonly card?: string | undefined
    readonly token: string
    readonly outcome: string
    readonly what: string
  }[]
  readonly processors: Rows<'name' | 'processorMerchantId' | 'what'>
  readonly loyaltyConnections: Rows<'connectionId' | 'what'>
  readonly sessions: Rows<'metadata' | 'what'>
  readonly keys: Rows<'key' | 'what'>
  readonly clock: Rows<'event' | 'after' | 'what'>
}

export const scenariosView: View<Scenarios> = {
  ids: ({ paymentMethods }) => paymentMethods.map((method) => method.token),
  csvColumns: [],
  render: ({ paymentMethods, processors, loyaltyConnections, sessions, keys, clock }, options) =>
    [
      renderTable(
        [
          { title: 'TOKEN', text: (method) => method.token },
          { title: 'CARD', text: (method) => method.card ?? '' },
          { title: 'OUTCOME', text: (method) => method.outcome, drop: 1 },
          { title: 'WHAT HAPPENS', text: (method) => method.what, wraps: true },
        ],
        paymentMethods,
        options,
      ),
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
  rows: Rows<Field | 'what'>,
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
