import { ACTION_NAMES, actionOf, ruledOut } from '../../api/actions/actions.ts'
import type { ActionName } from '../../api/actions/actions.ts'
import { knownStatus } from '../../api/payment-states.ts'
import type { Payment } from '../../api/models/payment.ts'
import type { Screen } from '../../cli/command/prompts-port.ts'
import { formatAmount } from '../../views/format-fields.ts'
import { describeOperation } from '../../views/ops/state.ts'
import type { OperationRecord } from '../../client/ledger/record.ts'
import { deriveAmounts } from '../../views/payment/amounts.ts'
import { pendingRefunds } from '../../views/payment/refunds.ts'
import { styleOf } from '../../views/payment/status.ts'
import { lowerFirst } from '../../text/words.ts'

/** What can be done with a payment, from the table of actions. */

/** What an entry does: a command line, or one of the desk's own screens. */
export type Choice =
  | { readonly kind: 'run'; readonly args: readonly string[] }
  | { readonly kind: 'copy' | 'again' | 'back' }

export interface Entry {
  readonly key: string
  readonly words: string
  /** Why the choice can't be made; it is then not offered. */
  readonly reason?: string | undefined
  readonly choice: Choice
}

/** The place and the key of each action in the menu; null for one that the menu leaves out. */
const PLACES: Readonly<Record<ActionName, { readonly at: number; readonly key: string } | null>> = {
  refund: { at: 1, key: 'r' },
  capture: { at: 2, key: 'c' },
  cancel: { at: 3, key: 'x' },
  adjust: { at: 4, key: 'a' },
  resume: { at: 5, key: 'm' },
  // It needs a processor, which the desk doesn't know.
  authorize: null,
}

const SHOWN = ACTION_NAMES.flatMap((name) => {
  const place = PLACES[name]
  return place === null ? [] : [{ name, ...place }]
}).toSorted((one, other) => one.at - other.at)

/** The entries for a payment. `open` is the write that blocks others to it. */
export function entriesFor(
  id: string,
  payment: Payment,
  open: OperationRecord | undefined,
): readonly Entry[] {
  const wait = waitOf(payment)
  return [
    ...(open === undefined ? [] : [entryOf(open)]),
    ...SHOWN.map(({ name, key }): Entry => {
      const reason = open === undefined ? reasonAgainst(name, payment) : undefined
      return {
        key,
        words: `${name}${reason === undefined && open === undefined ? leftFor(name, payment) : ''}`,
        reason: open === undefined ? reason : 'find the outcome of the write above first',
        choice: { kind: 'run', args: ['payment', name, id] },
      }
    }),
    {
      key: 'w',
      words: 'wait',
      reason: wait === undefined ? 'nothing is pending' : undefined,
      choice: { kind: 'run', args: ['payment', 'wait', id, ...(wait ?? [])] },
    },
    ...OTHERS,
  ]
}

const OTHERS: readonly Entry[] = [
  { key: 'y', words: 'print commands to copy', choice: { kind: 'copy' } },
  { key: 'g', words: 'read again', choice: { kind: 'again' } },
]

/** The entry of a write in doubt, or of one that another process is sending. */
export function entryOf(open: OperationRecord): Entry {
  const [verb, state] = open.state === 'sending' ? ['show', 'under way'] : ['resolve', 'in doubt']
  return {
    key: 's',
    words: `${verb} ${describeOperation({ ...open, target: null })}, which is ${state}`,
    choice: { kind: 'run', args: ['ops', verb, open.id] },
  }
}

function reasonAgainst(name: ActionName, payment: Payment): string | undefined {
  const { left, isFor, notFor, participle } = actionOf(name)
  const status = knownStatus(payment.status)
  const ruled = status === undefined ? undefined : ruledOut(name, status)
  if (ruled !== undefined)
    return clauseOf(ruled.hint ?? `it is ${lowerFirst(styleOf(payment.status ?? '').words)}`)
  if (left !== null && deriveAmounts(payment)[left] === 0 && status !== 'SETTLING')
    return `nothing is left to ${name}`
  return isFor(payment) ? undefined : (notFor ?? `it can't be ${participle}`)
}

/** A sentence, as it reads after a dash. */
const clauseOf = (sentence: string): string => lowerFirst(sentence).replace(/\.$/, '')

function leftFor(name: ActionName, payment: Payment): string {
  const { left } = actionOf(name)
  const amount = left === null ? undefined : deriveAmounts(payment)[left]
  const money = formatAmount(amount || undefined, payment.currencyCode)
  return money === undefined ? '' : ` up to ${money}`
}

function waitOf(payment: Payment): readonly string[] | undefined {
  if (payment.status === 'PENDING' || payment.status === 'SETTLING') return []
  return pendingRefunds(payment).length > 0 ? ['--refund'] : undefined
}

export interface MenuState {
  readonly chosen: number
  readonly note: string | undefined
}

/** A menu in which letters choose an entry, and so does Enter. */
export const menuScreen = (title: string, entries: readonly Entry[]): Screen<MenuState, Choice> => ({
  start: {
    chosen: Math.max(
      0,
      entries.findIndex(({ reason }) => reason === undefined),
    ),
    note: undefined,
  },
  isGuarded: true,
  press: (before, { name, isCtrl, text }) => {
    const state = { ...before, note: undefined }
    if (name === 'escape') return { answer: { kind: 'back' } }
    if (name === 'up' || name === 'down') {
      const to = state.chosen + (name === 'up' ? -1 : 1)
      return { state: { ...state, chosen: Math.max(0, Math.min(entries.length - 1, to)) } }
    }
    const entry =
      name === 'return' ? entries[state.chosen] : entries.find(({ key }) => !isCtrl && key === text)
    if (entry === undefined) return { state }
    return entry.reason === undefined
      ? { answer: entry.choice }
      : { state: { ...state, note: `Can't ${entry.words}: ${entry.reason}.` } }
  },
  picture: ({ chosen, note }) => ({
    title,
    rows: entries.map(({ key, words, reason }) => ({
      text: `${key}  ${words}${reason === undefined ? '' : ` – ${reason}`}`,
      tone: reason === undefined ? undefined : 'dim',
    })),
    chosen,
    status: note === undefined ? [] : [note],
    keys: [
      { name: 'return', words: 'choose' },
      { name: 'escape', words: 'back' },
    ],
  }),
  pick: (state, chosen) => ({ ...state, chosen }),
})
