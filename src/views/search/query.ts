import type { PaymentStatus } from '../../api/sets.ts'
import { UsageError } from '../../errors.ts'
import type { Period } from './times.ts'

/** What a word can mean. */
export type Meaning =
  | { readonly kind: 'id' | 'order' | 'customer' | 'email' | 'last4' | 'currency'; readonly value: string }
  /** One of these statuses. */
  | { readonly kind: 'status'; readonly values: readonly PaymentStatus[] }
  /** `exponent`: without a currency, the decimals that were written tell which currencies it can be. */
  | {
      readonly kind: 'amount'
      readonly amountMinor: number
      readonly currencyCode: string | undefined
      readonly exponent: number | undefined
    }
  | ({ readonly kind: 'time' } & Period)

/** A word, for people, and its meanings: a payment that fits one of them fits the word. */
export interface Word {
  readonly words: string
  readonly meanings: readonly Meaning[]
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

/** The combinations of meanings that one payment can have. */
export const plansOf = ({ words }: Query): readonly (readonly Meaning[])[] =>
  words
    .filter(({ meanings }) => meanings.length > 0)
    .reduce<readonly (readonly Meaning[])[]>(
      (plans, { meanings }) =>
        plans.flatMap((plan) =>
          meanings.flatMap((meaning) => {
            const longer = [...plan, meaning]
            return conflictIn(longer) === undefined ? [longer] : []
          }),
        ),
      [[]],
    )

export function refuseContradictions(query: Query): void {
  if (plansOf(query).length > 0) return
  const conflict = conflictIn(query.words.flatMap(({ meanings }) => (meanings.length === 1 ? meanings : [])))
  throw contradiction(
    conflict === undefined
      ? 'No payment can fit all of these words: it has one ID, one order and one card'
      : `A payment has one ${NAMES[conflict]}, and the words name several`,
  )
}

const NAMES = {
  id: 'ID',
  order: 'order',
  customer: 'customer',
  email: 'e-mail',
  last4: 'card',
  currency: 'currency',
  status: 'status',
  amount: 'amount',
} as const

/** The kind of which the meanings name more than one value. */
function conflictIn(plan: readonly Meaning[]): keyof typeof NAMES | undefined {
  const seen = new Map<keyof typeof NAMES, string>()
  const facts = plan.flatMap((meaning): readonly (readonly [keyof typeof NAMES, string])[] => {
    if (meaning.kind === 'time' || meaning.kind === 'status') return []
    if (meaning.kind !== 'amount')
      return [[meaning.kind, meaning.kind === 'email' ? meaning.value.toLowerCase() : meaning.value]]
    const { amountMinor, currencyCode } = meaning
    return [
      ['amount', String(amountMinor)],
      ...(currencyCode === undefined ? [] : [['currency', currencyCode] as const]),
    ]
  })
  for (const [kind, value] of facts) {
    if (seen.has(kind) && seen.get(kind) !== value) return kind
    seen.set(kind, value)
  }
  const [first, ...others] = plan.flatMap((meaning) => (meaning.kind === 'status' ? [meaning.values] : []))
  const isPossible = first?.some((status) => others.every((values) => values.includes(status))) ?? true
  return isPossible ? undefined : 'status'
}
