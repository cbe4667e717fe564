import { useSignal } from '@preact/signals'
import { formatMinute } from '../../page/format.ts'
import { firstInWords, wordsOf } from '../../page/words.ts'
import { PageFrame } from '../parts/page-frame.tsx'
import { SearchedList } from '../parts/searched-list.tsx'
import { Badge } from '../parts/status.tsx'
import type { Column } from '../parts/table.tsx'
import { MethodDialog } from './method-dialog.tsx'
import type { MethodAction, SavedMethod } from './method-dialog.tsx'

/** The saved methods of all customers, by customer. */
export function MethodsPage() {
  const asked = useSignal<{ readonly action: MethodAction; readonly method: SavedMethod } | undefined>(
    undefined,
  )
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
      <SearchedList
        label="Saved methods"
        path="/sandbox/instruments"
        search={{ label: 'Customer', name: 'customer', placeholder: 'Part of a customer ID' }}
        columns={columns}
        keyOf={({ token }) => token}
      >
        <p>
          Save one with a payment:{' '}
          <code>
            pay --sandbox payment create --token tok_visa --amount '49.90 EUR' --order-id order-1
            --customer-id anna --vault-on-success
          </code>
        </p>
      </SearchedList>
      {asked.value === undefined ? null : (
        <MethodDialog {...asked.value} onClose={() => (asked.value = undefined)} />
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
    cell: ({ description }) => firstInWords(description),
  },
  { name: 'Type', phone: 'none', cell: ({ paymentMethodType }) => wordsOf(paymentMethodType) },
  {
    name: 'Default',
    phone: 'right',
    cell: (method) => (method.default ? <Badge tone="good" word="Default" /> : null),
  },
  { name: 'Verified', cell: ({ isVerified }) => (isVerified ? 'yes' : 'no') },
  { name: 'Saved', cell: ({ createdAt }) => formatMinute(createdAt) },
]
