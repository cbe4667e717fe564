import { exponentOf } from '../../money/currencies.ts'
import type { RefundFilter } from '../../api/payment-states.ts'
import type { PaymentStatus } from '../../api/sets.ts'
import { UsageError } from '../../errors.ts'
import type { Period } from './times.ts'

/** The kinds of values that a word is compared with as it is typed. */
type TextKind = 'id' | 'order' | 'customer' | 'email' | 'name' | 'phone' | 'brand' | 'last4' | 'currency'

/** What a word can mean. */
export type Meaning =
  | { readonly kind: TextKind; readonly value: string }
  /** One of these statuses. */
  | { readonly kind: 'status'; readonly values: readonly PaymentStatus[] }
  /** Refunds that became one of these. */
  | { readonly kind: 'refunds'; readonly values: readonly RefundFilter[] }
  /** Without a currency: the amount in every currency that has `exponent` decimals. */
  | {
      readonly kind: 'amount'
      readonly amountMinor: number
      readonly currencyCode: string | undefined
      readonly exponent: number
    }
  | ({ readonly kind: 'time' } & Period)

/** A word, for people, and its meanings: a payment that fits one of them fits the word. */
export interface Word {
  readonly words: string
  readonly meanings: readonly Meaning[]
  /** The state or time that it names. It takes nothing from orders and names that have the word as a part. */
  readonly beside?: Meaning
  /** Those of the meanings that the service is asked for first, by its filters or the payment's ID. */
  readonly asks: readonly Meaning[]
}

/** What to search for: every word must fit. Without words, every payment fits. */
export interface Query {
  readonly words: readonly Word[]
  /** The time that all words and flags leave. */
  readonly period: Period
}

export const contradiction = (message: string): UsageError =>
  new UsageError(message, {
    code: 'bad_value',
    outcome: 'none',
    hint: 'All words must fit the same payment.',
  })

/** The most lists to ask the service for. A word that would need more is only checked here. */
const MOST_PLANS = 12

/** The combinations of what the words ask for that one payment can have. */
export const plansOf = ({ words }: Query): readonly (readonly Meaning[])[] =>
  words
    .filter(({ asks }) => asks.length > 0)
    .toSorted((one, other) => one.asks.length - other.asks.length)
    .reduce<readonly (readonly Meaning[])[]>(
      (plans, { asks }) => {
        const longer = plans.flatMap((plan) =>
          asks.flatMap((meaning) =>
            conflictIn([...plan, meaning]) === undefined ? [[...plan, meaning]] : [],
          ),
        )
        return longer.length > MOST_PLANS ? plans : longer
      },
      [[]],
    )

/** Whether one filter of the service, or the period, tells exactly which payments fit the word. */
export const isExact = ({ meanings }: Word): boolean =>
  meanings.length === 1 && meanings.every(({ kind }) => EXACT.has(kind))

const EXACT: ReadonlySet<Meaning['kind']> = new Set(['status', 'currency', 'last4', 'amount', 'time'])

/** Whether lists of payments don't show what the word means. */
export const needsTransactions = (meaning: Meaning): boolean =>
  meaning.kind === 'refunds' && meaning.values.some((value) => value === 'failed' || value === 'pending')

export function refuseContradictions({ words }: Query): void {
  const certain = words.flatMap((word) => (word.meanings.length === 1 ? word.meanings : []))
  const conflict = conflictIn(certain)
  if (conflict !== undefined)
    throw contradiction(`A payment has one ${NAMES[conflict]}, and the words name several`)
}

const NAMES = {
  last4: 'card',
  currency: 'currency',
  status: 'status',
  amount: 'amount',
} as const

/** The kind of which the meanings name more than one value. Of an order or a customer, several words may each be a part. */
function conflictIn(plan: readonly Meaning[]): keyof typeof NAMES | undefined {
  const seen = new Map<keyof typeof NAMES, string>()
  const exponents = new Set<number>()
  for (const meaning of plan) {
    for (const [kind, value] of factsOf(meaning)) {
      if ((seen.get(kind) ?? value) !== value) return kind
      seen.set(kind, value)
    }
    if (meaning.kind === 'amount') exponents.add(meaning.exponent)
    if (meaning.kind === 'currency') exponents.add(exponentOf(meaning.value) ?? 0)
  }
  if (exponents.size > 1) return 'amount'
  const [first, ...others] = plan.flatMap((meaning) => (meaning.kind === 'status' ? [meaning.values] : []))
  const isPossible = first?.some((status) => others.every((values) => values.includes(status))) ?? true
  return isPossible ? undefined : 'status'
}

function factsOf(meaning: Meaning): readonly (readonly [keyof typeof NAMES, string])[] {
  switch (meaning.kind) {
    case 'last4':
    case 'currency':
      return [[meaning.kind, meaning.value]]
    case 'amount':
      return [
        ['amount', String(meaning.amountMinor)],
        ...(meaning.currencyCode === undefined ? [] : [['currency', meaning.currencyCode] as const]),
      ]
    case 'id':
    case 'order':
    case 'customer':
    case 'email':
    case 'name':
    case 'phone':
    case 'brand':
    case 'status':
    case 'refunds':
    case 'time':
      return []
  }
}
