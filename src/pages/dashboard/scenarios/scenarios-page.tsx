import type { Scenarios } from '../../../sandbox/domain/scenarios/scenarios.ts'
import { capitalize } from '../../../text/words.ts'
import { read } from '../../page/service.ts'
import { PageFrame } from '../parts/page-frame.tsx'
import { FetchState } from '../parts/states.tsx'
import { Status } from '../parts/status.tsx'
import { Table } from '../parts/table.tsx'
import type { Column } from '../parts/table.tsx'
import { useFetched } from '../parts/use-fetched.ts'

const load = (signal: AbortSignal) => read<Scenarios>('/sandbox/scenarios', { signal })

/** What the sandbox can simulate, as `pay sandbox scenarios` lists it. */
export function ScenariosPage() {
  const fetched = useFetched(load, [])
  const { data } = fetched
  return (
    <PageFrame title="Scenarios">
      <FetchState what="scenarios" of={fetched} />
      {data === undefined ? null : (
        <>
          <p class="quiet">
            A token pays any number of times. The checkout, and <code>pay sandbox tokenize</code>, turn a card
            into a token for one payment.
          </p>
          <Section
            title="Cards and tokens"
            columns={[
              { name: 'Token', phone: 'left', cell: ({ token }) => <code>{token}</code> },
              { name: 'Card', cell: ({ card }) => card },
              { name: 'Outcome', phone: 'right', cell: ({ outcome }) => <Status status={outcome} /> },
              WHAT,
            ]}
            rows={data.paymentMethods}
            keyOf={({ token }) => token}
          />
          <Section
            title="Processors"
            columns={[
              { name: 'Processor', phone: 'left', cell: ({ name }) => name },
              { name: 'Merchant ID', cell: ({ processorMerchantId }) => <code>{processorMerchantId}</code> },
              WHAT,
            ]}
            rows={data.processors}
            keyOf={({ name, processorMerchantId }) => `${name} ${processorMerchantId}`}
          />
          <Section
            title="Loyalty connections"
            columns={[
              { name: 'Connection', phone: 'left', cell: ({ connectionId }) => <code>{connectionId}</code> },
              WHAT,
            ]}
            rows={data.loyaltyConnections}
            keyOf={({ connectionId }) => connectionId}
          />
          <Section
            title="Client sessions"
            columns={[
              { name: 'Metadata', phone: 'left', cell: ({ metadata }) => <code>{metadata}</code> },
              WHAT,
            ]}
            rows={data.sessions}
            keyOf={({ metadata }) => metadata}
          />
          <Section
            title="On the clock"
            columns={[
              { name: 'Event', phone: 'left', cell: ({ event }) => event },
              { name: 'After', cell: ({ after }) => after },
              WHAT,
            ]}
            rows={data.clock}
            keyOf={({ event }) => event}
          />
        </>
      )}
    </PageFrame>
  )
}

const WHAT = {
  name: 'What happens',
  cell: ({ what }: { readonly what: string }) => <Prose text={capitalize(what)} />,
} as const

interface SectionProps<Line> {
  readonly title: string
  readonly columns: readonly Column<Line>[]
  readonly rows: readonly Line[]
  readonly keyOf: (row: Line) => string
}

const Section = <Line,>({ title, ...table }: SectionProps<Line>) => (
  <section>
    <h2>{title}</h2>
    <Table label={title} {...table} />
  </section>
)

/** Text that wraps in a table; text in backticks is code. */
function Prose({ text }: { readonly text: string }) {
  return (
    <span class="prose">
      {text.split('`').map((part, index) => (index % 2 === 1 ? <code key={index}>{part}</code> : part))}
    </span>
  )
}
