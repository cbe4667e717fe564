import type { InstrumentList } from '../../../api/models/instrument.ts'
import type { Session } from '../../../api/models/session.ts'
import { bodyIn } from '../service/client.ts'
import type { Client, Refusal } from '../service/client.ts'
import { usableMethods } from '../summary/price.ts'
import type { SavedMethod, Terms } from '../summary/price.ts'
import type { Unusable } from './phase.ts'

/** What the customer sees before paying. */
export interface Details {
  readonly session: Session
  readonly terms: Terms
  /** The customer's saved methods that can pay for this session. */
  readonly saved: readonly SavedMethod[]
}

type Loaded =
  | { readonly kind: 'loaded'; readonly details: Details }
  | { readonly kind: 'unusable'; readonly problem: Unusable }

/** Reads the session, its terms and the saved methods. */
export async function loadDetails(client: Client): Promise<Loaded> {
  const answers = await Promise.all([
    client.send<Session>('GET', '/client-session'),
    client.send<Terms>('GET', '/sandbox/checkout'),
    client.send<Partial<InstrumentList>>('GET', '/payment-instruments'),
  ])
  for (const answer of answers) {
    if (answer.kind === 'refused') return { kind: 'unusable', problem: whyRefused(answer) }
    if (answer.kind === 'lost') return { kind: 'unusable', problem: unreachable(answer.why) }
  }
  const [session = {}, terms, saved] = [bodyIn(answers[0]), bodyIn(answers[1]), bodyIn(answers[2])]
  if (terms === undefined) throw new Error('Every answer has a body')
  return { kind: 'loaded', details: { session, terms, saved: usableMethods(saved?.data ?? [], terms) } }
}

/** Why the session can't be paid for; undefined if it can. */
export function whyUnpayable({ terms, saved }: Details): Unusable | undefined {
  if (terms.missing.length > 0) {
    return {
      title: 'This order is incomplete',
      text: [
        `The client session lacks ${listWords(terms.missing)}, so you can't pay for it.`,
        'The shop must add this to the session. Then load this page again.',
      ],
      canRetry: true,
      errorId: 'MISSING_DATA',
    }
  }
  if (terms.methods.length > 0 || saved.length > 0) return undefined
  return {
    title: 'No payment method is available',
    text: [
      "The settings offer no payment method for this order's currency and country.",
      'Offer one under Settings in the sandbox dashboard. Then load this page again.',
    ],
    canRetry: true,
    errorId: 'NO_PAYMENT_METHOD',
  }
}

const NEW_LINK = 'Go back to the shop and start the checkout again, which creates a new client session.'

/** The problem of an address without a client token, or with text that can't be one. */
export const badLink = (token: string): Unusable => ({
  title: token === '' ? 'This link is incomplete' : 'This link is damaged',
  text: [
    token === ''
      ? 'The address of this page must end with # and a client token.'
      : 'The text after the # in the address is not a client token.',
    NEW_LINK,
  ],
  canRetry: false,
  errorId: 'InvalidClientToken',
})

export function whyRefused({ status, errorId, description, recoverySuggestion }: Refusal): Unusable {
  const isToken = status === 401 || errorId === 'ClientSessionValidationError'
  return {
    title: isToken ? 'This checkout is no longer valid' : "This checkout can't be opened",
    text: [description, isToken ? NEW_LINK : (recoverySuggestion ?? 'Load this page again.')],
    canRetry: !isToken,
    errorId,
  }
}

const unreachable = (why: string): Unusable => ({
  title: "The checkout can't be loaded",
  text: [why, 'Nothing was charged. The page tries again automatically.'],
  canRetry: true,
})

const listWords = (words: readonly string[]): string =>
  words.length === 1 ? (words[0] ?? '') : `${words.slice(0, -1).join(', ')} and ${words.at(-1)}`
