import { useSignal } from '@preact/signals'
import type { Instrument } from '../../../api/models/instrument.ts'
import { formatMinute } from '../../page/format.ts'
import { firstInWords, wordsOf } from '../../page/words.ts'
import { call } from '../../page/service.ts'
import { announce } from '../parts/announcement.tsx'
import { Breakable } from '../parts/breakable.tsx'
import { Dialog } from '../parts/dialog.tsx'
import { PageFrame } from '../parts/page-frame.tsx'
import { SearchedList } from '../parts/searched-list.tsx'
import { Failure } from '../parts/states.tsx'
import { Badge } from '../parts/status.tsx'
import type { Column } from '../parts/table.tsx'
import { useSubmit } from '../parts/form.tsx'

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
            pay --sandbox payment create --token tok_visa --amount "49.90 EUR" --order-id order-1
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
  {
    name: 'Customer',
    phone: 'left',
    cell: ({ customerId }) => (
      <span class="wrapped">
        <Breakable text={customerId} />
      </span>
    ),
  },
  {
    name: 'Method',
    phone: 'left',
    cell: ({ description }) => firstInWords(description),
  },
  {
    name: 'Type',
    from: 'medium',
    phone: 'none',
    cell: ({ paymentMethodType }) => wordsOf(paymentMethodType),
  },
  {
    name: 'Default',
    phone: 'right',
    cell: (method) => (method.default ? <Badge tone="good" word="Default" /> : null),
  },
  { name: 'Verified', cell: ({ isVerified }) => (isVerified ? 'yes' : 'no') },
  { name: 'Saved', cell: ({ createdAt }) => formatMinute(createdAt) },
]

/** An entry of `GET /sandbox/instruments`, which has every field. */
type SavedMethod = Required<Instrument>

type MethodAction = 'default' | 'delete'

interface MethodDialogProps {
  readonly action: MethodAction
  readonly method: SavedMethod
  readonly onClose: () => void
}

/** Asks before it changes a saved method. */
function MethodDialog({ action, method, onClose }: MethodDialogProps) {
  const { isBusy, error, submit } = useSubmit()
  const { title, question, button, done } = wordsFor(action, method)
  const confirm = async () => {
    const path = `/payment-instruments/${encodeURIComponent(method.token)}`
    if (action === 'default') await call('POST', `${path}/default`)
    else await call('DELETE', path)
    announce(done)
    onClose()
  }
  return (
    <Dialog
      title={title}
      onClose={onClose}
      isBusy={isBusy}
      confirm={{ label: button, act: () => submit(confirm) }}
    >
      <p>{question}</p>
      {error === undefined ? null : <Failure error={error} />}
    </Dialog>
  )
}

const wordsFor = (action: MethodAction, { description, customerId }: SavedMethod) =>
  action === 'default'
    ? {
        title: `Make ${description} the default`,
        question: `Later payments of customer ${customerId} use it unless they name another method.`,
        button: 'Make default',
        done: `${description} is the default of ${customerId}.`,
      }
    : {
        title: `Delete ${description}`,
        question: `Customer ${customerId} won't be able to pay with it again. You can't undo this.`,
        button: 'Delete',
        done: `${description} of ${customerId} is deleted.`,
      }
