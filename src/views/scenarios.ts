import { renderTable } from '../output/table.ts'
import type { View } from '../output/view.ts'

/** What the sandbox can play: all of it is data of the sandbox's own. */
interface Scenarios {
  readonly paymentMethods: readonly {
    readonly card?: string | undefined
    readonly token: string
    readonly outcome: string
    readonly what: string
  }[]
  readonly processors: readonly {
    readonly name: string
    readonly processorMerchantId: string
    readonly what: string
  }[]
  readonly loyaltyConnections: readonly { readonly connectionId: string; readonly what: string }[]
  readonly sessions: readonly { readonly metadata: string; readonly what: string }[]
  readonly keys: readonly { readonly key: string; readonly what: string }[]
  readonly clock: readonly { readonly event: string; readonly after: string; readonly what: string }[]
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
      renderTable(
        [
          { title: 'PROCESSOR', text: (processor) => processor.name },
          { title: 'MERCHANT ID', text: (processor) => processor.processorMerchantId },
          { title: '', text: (processor) => processor.what, wraps: true },
        ],
        processors,
        options,
      ),
      renderTable(
        [
          { title: 'LOYALTY CONNECTION', text: (connection) => connection.connectionId },
          { title: '', text: (connection) => connection.what, wraps: true },
        ],
        loyaltyConnections,
        options,
      ),
      renderTable(
        [
          { title: 'METADATA OF A SESSION', text: (session) => session.metadata },
          { title: '', text: (session) => session.what, wraps: true },
        ],
        sessions,
        options,
      ),
      renderTable(
        [
          { title: 'KEY', text: (key) => key.key },
          { title: 'MAY', text: (key) => key.what, wraps: true },
        ],
        keys,
        options,
      ),
      renderTable(
        [
          { title: 'ON THE CLOCK', text: (event) => event.event },
          { title: 'AFTER', text: (event) => event.after },
          { title: '', text: (event) => event.what, wraps: true },
        ],
        clock,
        options,
      ),
    ].join('\n\n'),
}
