import {
  findClientSession,
  authenticateCheckout,
  notOfSession,
  ownsSavedMethod,
  paymentOfSession,
} from '../domain/checkout/checkout-access.ts'
import { offeredTypes } from '../domain/checkout/offered-methods.ts'
import { readClientToken } from '../domain/client-token.ts'
import { firstFree } from '../domain/identifiers.ts'
import { unknownPayment } from '../domain/payment/payment-changes.ts'
import { findSource } from '../domain/payment/payment-source.ts'
import { scenarioOfMethod, CHECKOUT_METHODS } from '../domain/scenarios/checkout-methods.ts'
import { scenarioOfCard } from '../domain/scenarios/payment-scenarios.ts'
import type { PaymentScenario } from '../domain/scenarios/payment-scenarios.ts'
import { sha256Base64url } from '../../files/sha256.ts'
import type { ClientSession, SandboxContext } from '../domain/context.ts'
import type { SingleUseToken, StoredPayment } from '../domain/stored.ts'
import { invalid } from '../problem.ts'
import { UsageError } from '../../errors.ts'
import { shellWord } from '../../files/shell.ts'

/** A test card, a saved method or the type of another method: exactly one of them. */
export interface MethodToTokenize {
  readonly card?: string | undefined
  readonly savedMethod?: string | undefined
  readonly method?: string | undefined
  /** The session that the token is for. */
  readonly clientToken?: string | undefined
  /** Whether the client token authenticated the request, which may then use only what the checkout offers. */
  readonly isCheckout?: boolean
}

/** The answer to a challenge. Names the payment by its required action's client token, or by its ID. */
export type ChallengeAnswer = { readonly outcome: 'pass' | 'fail' } & (
  | { readonly clientToken: string }
  | {
      readonly paymentId: string
      /** The client token of the session that the payment must belong to. */
      readonly sessionToken?: string | undefined
    }
)

/** Turns a card, a saved method or another method into a token for one payment, as a checkout page would. Doesn't store the card number. */
export function tokenize(input: MethodToTokenize, context: SandboxContext): string {
  const { store, ids } = context
  const clientSession = sessionOf(input, context)
  const method = chosenMethod(input, clientSession, context)
  if (input.isCheckout === true && clientSession !== undefined)
    refuseUnlessOffered(input, method.scenario, clientSession, context)
  const token: SingleUseToken = {
    token: firstFree(ids.token, (taken) => store.singleUseTokens.find(taken) !== undefined),
    scenario: method.scenario.token,
    analyticsId: method.analyticsId ?? ids.uuid(),
    sessionIdHash: clientSession?.idHash,
    savedMethod: method.savedMethod,
    spent: false,
  }
  store.singleUseTokens.save(token)
  return token.token
}

function sessionOf(input: MethodToTokenize, context: SandboxContext): ClientSession | undefined {
  if (input.clientToken === undefined) return undefined
  if (input.isCheckout === true) return authenticateCheckout(input.clientToken, context)
  const found = findClientSession(input.clientToken, context)
  if (found === undefined) throw unknownClientToken()
  if (found.isExpired) throw expiredClientToken()
  return found
}

interface ChosenMethod {
  readonly scenario: PaymentScenario
  readonly analyticsId?: string
  readonly savedMethod?: string
}

function chosenMethod(
  { card, savedMethod, method, isCheckout }: MethodToTokenize,
  clientSession: ClientSession | undefined,
  { store }: SandboxContext,
): ChosenMethod {
  if (card !== undefined) {
    const scenario = scenarioOfCard(card.replace(/[ -]/g, ''))
    if (scenario === undefined) throw unknownCard()
    return { scenario }
  }
  if (savedMethod === undefined) {
    const scenario = scenarioOfMethod(method ?? '')
    if (scenario === undefined) throw unknownMethod()
    return { scenario }
  }
  if (clientSession !== undefined && !ownsSavedMethod(savedMethod, clientSession, store))
    throw isCheckout === true ? notOfSession('saved method') : unknownSavedMethod()
  const source = findSource(savedMethod, store)
  if (source?.kind !== 'saved' || source.token !== undefined) throw unknownSavedMethod()
  const { scenario, analyticsId } = source
  return { scenario, analyticsId, savedMethod }
}

function refuseUnlessOffered(
  { card, savedMethod }: MethodToTokenize,
  { paymentMethodType: type }: PaymentScenario,
  { session }: ClientSession,
  { store }: SandboxContext,
): void {
  if (offeredTypes(store.settings.checkout(), session).includes(type)) return
  const path = card === undefined ? (savedMethod === undefined ? '$.method' : '$.savedMethod') : '$.card'
  throw invalid([{ path, description: `is ${type}, which the checkout doesn't offer for this session` }])
}

/** Answers for the customer or the third party that a payment waits for. Can be repeated until the payment continues. */
export function answerChallenge(answer: ChallengeAnswer, context: SandboxContext): string {
  const payment = paymentToAnswer(answer, context)
  const { challenge } = payment
  if (payment.status !== 'PENDING' || challenge === undefined) throw challengeOver(payment)
  if (challenge.expiresAtMs <= context.now.getTime()) throw expiredClientToken()
  const resumeToken = context.ids.token()
  context.store.payments.save({
    ...payment,
    challenge: { ...challenge, outcome: answer.outcome, resumeTokenHash: sha256Base64url(resumeToken) },
  })
  return resumeToken
}

function paymentToAnswer(answer: ChallengeAnswer, context: SandboxContext): StoredPayment {
  const { store, now } = context
  if ('paymentId' in answer) {
    const { paymentId, sessionToken } = answer
    if (sessionToken !== undefined)
      return paymentOfSession(paymentId, authenticateCheckout(sessionToken, context), store)
    const payment = store.payments.find(paymentId)
    if (payment === undefined) throw unknownPayment(paymentId)
    return payment
  }
  const claims = readClientToken(store.settings.secret(), answer.clientToken)
  const payment = claims?.paymentId === undefined ? undefined : store.payments.find(claims.paymentId)
  if (claims === undefined || payment === undefined) throw unknownClientToken()
  if (claims.expiresAtMs <= now.getTime()) throw expiredClientToken()
  if (payment.challenge?.id !== claims.id) throw challengeOver(payment)
  return payment
}

/** The refusals of `tokenize` and `challenge`. `control-problem.ts` says how they appear over HTTP. */

export const unknownCard = () =>
  new UsageError('Unknown test card number', {
    code: 'unknown_card',
    hint: 'Use one of the numbers that `pay sandbox scenarios` lists.',
    outcome: 'none',
    next: ['pay sandbox scenarios'],
  })

/** The methods that `tokenize` takes by their type. */
export const METHOD_TYPES: readonly string[] = CHECKOUT_METHODS.flatMap(({ type, token }) =>
  token === undefined ? [] : [type],
)

export const unknownMethod = () =>
  new UsageError('Unknown payment method', {
    code: 'unknown_method',
    hint: `Use one of ${METHOD_TYPES.join(', ')}.`,
    outcome: 'none',
  })

export const unknownSavedMethod = () =>
  new UsageError('Unknown saved payment method', {
    code: 'unknown_saved_method',
    hint: 'Use a token that `pay instrument list` shows for the customer.',
    outcome: 'none',
  })

export const unknownClientToken = () =>
  new UsageError('Unknown client token', {
    code: 'unknown_client_token',
    hint: "Use the clientToken of a client session, or of a payment's requiredAction, from this sandbox.",
    outcome: 'none',
  })

export const expiredClientToken = () =>
  new UsageError('This client token has expired: it lasts 24 hours on the sandbox clock', {
    code: 'expired_client_token',
    hint: 'Create another client session or payment.',
    outcome: 'none',
  })

export const challengeOver = ({ id, status }: StoredPayment) =>
  new UsageError(`Payment ${id} is ${status} and has no open challenge`, {
    code: 'challenge_over',
    hint: `\`pay payment get ${shellWord(id)} --sandbox\` shows it.`,
    outcome: 'none',
  })
