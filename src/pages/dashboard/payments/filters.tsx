import { useSignal, useSignalEffect } from '@preact/signals'
import { useEffect, useRef } from 'preact/hooks'
import { PAYMENT_STATUSES } from '../../../api/sets.ts'
import { CURRENCY_CODES } from '../../../money/currencies.ts'
import { wordsOf } from '../../page/words.ts'
import { ComboBox, TextField } from '../parts/fields.tsx'
import type { Choice } from '../parts/fields.tsx'
import { query, setQuery } from '../parts/router.tsx'
import { statusWords } from '../parts/status.tsx'

/** Parameters of the address, the same as those of `GET /sandbox/records`. */
export const FILTERS = [
  'search',
  'status',
  'refunds',
  'authorized',
  'source',
  'currency',
  'method',
  'from',
  'to',
  'processor',
  'country',
  'reason',
  'customer',
  'order',
] as const

/** The change of parameters that leads to the first page of a list. */
export const FIRST_PAGE = { offset: undefined, start: undefined } as const

/** Changes filters, and so leads to the first page of another list. */
const filterBy = (changes: Readonly<Record<string, string | undefined>>, how: 'push' | 'replace'): void =>
  setQuery({ ...changes, ...FIRST_PAGE }, how)

const METHODS = ['PAYMENT_CARD', 'PAYPAL', 'APPLE_PAY', 'GOOGLE_PAY', 'KLARNA', 'IDEAL']
const PERIODS: readonly Choice[] = [
  { value: '', label: 'Any' },
  { value: '24h', label: 'Last 24 hours' },
  { value: '7d', label: 'Last 7 days' },
  { value: '30d', label: 'Last 30 days' },
]
const REFUNDS: readonly Choice[] = [
  { value: '', label: 'Any' },
  { value: 'none', label: 'Not refunded' },
  { value: 'partial', label: 'Partly refunded' },
  { value: 'full', label: 'Refunded' },
  { value: 'pending', label: 'Refund pending' },
  { value: 'failed', label: 'Refund failed' },
]
/** Filters that only links set: shown where they are set. */
const LINKED = [
  ['authorized', 'Approved'],
  ['processor', 'Processor'],
  ['country', 'Country'],
  ['reason', 'Reason'],
  ['customer', 'Customer'],
  ['order', 'Order'],
] as const

const anyOf = (values: readonly string[], wordsFor = wordsOf): readonly Choice[] => [
  { value: '', label: 'Any' },
  ...values.map((value) => ({ value, label: wordsFor(value) })),
]

/** The search and the filters of the list. `onEnter` gets what is typed in the search. */
export function Filters({ onEnter }: { readonly onEnter: (search: string) => void }) {
  const given = query.value
  const isOpen = useSignal(false)
  const { from, to, refunds, method, currency, source } = given
  const hidden = [from ?? to, refunds, method, currency, source].filter((value) => value !== undefined).length
  const combo = (
    name: 'status' | 'refunds' | 'source' | 'currency' | 'method',
    label: string,
    choices: readonly Choice[],
  ) => (
    <ComboBox
      label={label}
      value={given[name] ?? ''}
      choices={choices}
      onChange={(value) => filterBy({ [name]: value }, 'push')}
    />
  )
  return (
    <div class={isOpen.value ? 'filters payment-filters open' : 'filters payment-filters'} role="search">
      <SearchBox onEnter={onEnter} />
      {combo('status', 'Status', anyOf(PAYMENT_STATUSES, statusWords))}
      <button
        type="button"
        class="more"
        aria-expanded={isOpen.value}
        onClick={() => (isOpen.value = !isOpen.value)}
      >
        More filters{hidden === 0 ? '' : ` (${hidden} set)`}
      </button>
      <Period />
      {combo('refunds', 'Refunds', REFUNDS)}
      {combo('method', 'Method', anyOf(METHODS))}
      {combo('currency', 'Currency', [
        { value: '', label: 'Any' },
        ...CURRENCY_CODES.map((value) => ({ value, label: value })),
      ])}
      {combo('source', 'Source', [
        { value: '', label: 'Any' },
        { value: 'payments', label: 'Payments' },
        { value: 'external', label: 'External' },
      ])}
      {LINKED.filter(([name]) => given[name] !== undefined).map(([name, label]) => (
        <p key={name} class="chip">
          {label}: {given[name]}{' '}
          <button
            type="button"
            aria-label={`Remove the filter ${label}`}
            onClick={() => filterBy({ [name]: undefined }, 'push')}
          >
            ×
          </button>
        </p>
      ))}
    </div>
  )
}

function Period() {
  const { from = '', to = '' } = query.value
  const isListed = to === '' && PERIODS.some(({ value }) => value === from)
  const custom = { value: 'custom', label: [from || 'beginning', to || 'now'].join(' to ') }
  return (
    <ComboBox
      label="Period"
      value={isListed ? from : 'custom'}
      choices={isListed ? PERIODS : [...PERIODS, custom]}
      onChange={(value) => {
        if (value !== 'custom') filterBy({ from: value, to: undefined }, 'push')
      }}
    />
  )
}

const TYPING_MS = 150

function SearchBox({ onEnter }: { readonly onEnter: (search: string) => void }) {
  const typed = useSignal(query.value['search'] ?? '')
  const timer = useRef<number | undefined>(undefined)
  useSignalEffect(() => {
    // The address changed, by a link or the back button.
    const given = query.value['search'] ?? ''
    if (timer.current === undefined) typed.value = given
  })
  useEffect(() => () => window.clearTimeout(timer.current), [])
  const search = () => {
    window.clearTimeout(timer.current)
    timer.current = undefined
    filterBy({ search: typed.value.trim() }, 'replace')
  }
  return (
    <TextField
      label="Search payments"
      type="search"
      placeholder="E-mail, order, amount"
      shortcut="/"
      value={typed.value}
      onChange={(value) => {
        typed.value = value
        window.clearTimeout(timer.current)
        timer.current = window.setTimeout(search, TYPING_MS)
      }}
      onEnter={() => {
        search()
        onEnter(typed.value.trim())
      }}
    />
  )
}
