import { useSignal } from '@preact/signals'
import { ABSENT, formatMinute } from '../../page/format.ts'
import { call } from '../../page/service.ts'
import { wordsOf } from '../../page/words.ts'
import { TextField } from '../parts/fields.tsx'
import { PageFrame } from '../parts/page-frame.tsx'
import { Pager, readOffset } from '../parts/pager.tsx'
import { query, setQuery } from '../parts/router.ts'
import { Empty, FetchState } from '../parts/states.tsx'
import { Badge } from '../parts/status.tsx'
import { Table } from '../parts/table.tsx'
import type { Column } from '../parts/table.tsx'
import { useFetched } from '../parts/use-fetched.ts'
import { MethodDialog } from './method-dialog.tsx'
import type { MethodAction, SavedMethod } from './method-dialog.tsx'

const LIMIT = 50

/** The saved methods of all customers, by customer. */
export function MethodsPage() {
  const { customer = '' } = query.value
  const offset = readOffset(query.value['offset'])
  const asked = useSignal<{ readonly action: MethodAction; readonly method: SavedMethod } | undefined>(
    undefined,
  )
  const fetched = useFetched(
    (signal) =>
      call<{ total: number; data: readonly SavedMethod[] }>('GET', '/sandbox/instruments', undefined, {
        query: { search: customer, offset, limit: LIMIT },
        signal,
      }),
    [customer, offset],
  )
  const { data, reload } = fetched
  const columns: readonly Column<SavedMethod>[] = [
    ...COLUMNS,
    {
      name: 'Actions',
      cell: (method) => (
        <div class="buttons">
          {method.default ? null : (
            <button
              type="button"
              aria-label={`Make default: ${nameOf(method)}`}
              onClick={() => (asked.value = { action: 'default', method })}
            >
              Make default
            </button>
          )}
          <button
            type="button"
            aria-label={`Delete: ${nameOf(method)}`}
            onClick={() => (asked.value = { action: 'delete', method })}
          >
            Delete
          </button>
        </div>
      ),
    },
  ]
  return (
    <PageFrame title="Saved methods">
      <div class="filters">
        <TextField
          label="Customer"
          type="search"
          value={customer}
          placeholder="Part of a customer ID"
          shortcut="/"
          onChange={(value) => setQuery({ customer: value, offset: undefined }, 'replace')}
        />
      </div>
      <FetchState what="saved methods" of={fetched} />
      {data === undefined ? null : data.total === 0 ? (
        <Empty title={customer === '' ? 'No saved methods yet.' : 'No customer matches.'}>
          <p>
            A payment with a customer and <code>vaultOnSuccess</code> saves its method:{' '}
            <code>--customer-id C --vault-on-success</code>
          </p>
        </Empty>
      ) : (
        <>
          <Table label="Saved methods" columns={columns} rows={data.data} keyOf={({ token }) => token} />
          <Pager
            what="saved methods"
            offset={offset}
            limit={LIMIT}
            total={data.total}
            onMove={(to) => setQuery({ offset: to === 0 ? undefined : String(to) }, 'push')}
          />
        </>
      )}
      {asked.value === undefined ? null : (
        <MethodDialog {...asked.value} onClose={() => (asked.value = undefined)} onDone={reload} />
      )}
    </PageFrame>
  )
}

const nameOf = ({ description, customerId }: SavedMethod): string => `${description} of ${customerId}`

const COLUMNS: readonly Column<SavedMethod>[] = [
  { name: 'Customer', phone: 'left', cell: ({ customerId }) => customerId },
  {
    name: 'Method',
    phone: 'left',
    cell: ({ description }) => description.replace(/^[A-Z\d_]+/, wordsOf),
  },
  { name: 'Type', phone: 'none', cell: ({ paymentMethodType }) => wordsOf(paymentMethodType) },
  {
    name: 'Default',
    phone: 'left',
    cell: (method) => (method.default ? <Badge tone="good" word="Default" /> : ABSENT),
  },
  { name: 'Verified', cell: ({ isVerified }) => (isVerified ? 'yes' : 'no') },
  { name: 'Saved', cell: ({ createdAt }) => formatMinute(createdAt) },
]
