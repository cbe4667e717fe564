import { UsageError } from '../../errors.ts'
import { readClientToken } from '../domain/client-token.ts'
import { firstFree } from '../domain/identifiers.ts'
import { sha256 } from '../domain/sha256.ts'
import { scenarioOfCard } from '../domain/scenarios/find-scenario.ts'
import type { SandboxContext } from '../domain/store/context.ts'

/** Turns a card into a token, as a checkout page would. The card number isn't stored. */
export function tokenizeCard(
  input: { readonly card: string; readonly clientToken?: string | undefined },
  { store, now, ids }: SandboxContext,
): string {
  const scenario = scenarioOfCard(input.card.replace(/[ -]/g, ''))
  if (scenario === undefined) {
    throw new UsageError('Unknown test card number', {
      code: 'unknown_card',
      hint: 'Use one of the numbers that `pay sandbox scenarios` lists.',
      outcome: 'none',
      next: ['pay sandbox scenarios'],
    })
  }
  const claims =
    input.clientToken === undefined ? undefined : readClientToken(store.settings.secret(), input.clientToken)
  const session = claims === undefined ? undefined : store.sessions.find(claims.id)
  if (input.clientToken !== undefined && session === undefined) throw unknownClientToken()
  if (session !== undefined && session.expiresAtMs <= now.getTime()) throw expiredClientToken()
  const token = firstFree(ids.token, (taken) => store.singleUseTokens.find(taken) !== undefined)
  store.singleUseTokens.save({
    token,
    scenario: scenario.token,
    analyticsId: ids.uuid(),
    sessionIdHash: claims === undefined ? undefined : sha256(claims.id),
    spent: false,
  })
  return token
}

/** Answers a 3DS challenge for the customer. Can be repeated until the payment is resumed. */
export function answerChallenge(
  { clientToken, outcome }: { readonly clientToken: string; readonly outcome: 'pass' | 'fail' },
  { store, now, ids }: SandboxContext,
): string {
  const claims = readClientToken(store.settings.secret(), clientToken)
  const payment = claims?.paymentId === undefined ? undefined : store.payments.find(claims.paymentId)
  if (claims === undefined || payment === undefined) throw unknownClientToken()
  if (claims.expiresAtMs <= now.getTime()) throw expiredClientToken()
  if (payment.status !== 'PENDING' || payment.challenge?.id !== claims.id) {
    throw new UsageError(`Payment ${payment.id} is ${payment.status} and has no open challenge`, {
      code: 'challenge_over',
      hint: `\`pay payment get ${payment.id} --sandbox\` shows it.`,
      outcome: 'none',
    })
  }
  const resumeToken = ids.token()
  const challenge = { ...payment.challenge, outcome, resumeTokenHash: sha256(resumeToken) }
  store.payments.save({ ...payment, challenge })
  return resumeToken
}

const unknownClientToken = () =>
  new UsageError('Unknown client token', {
    code: 'unknown_client_token',
    hint: "Use the clientToken of a client session, or of a payment's requiredAction, from this sandbox.",
    outcome: 'none',
  })

const expiredClientToken = () =>
  new UsageError('This client token has expired: it lasts 24 hours on the sandbox clock', {
    code: 'expired_client_token',
    hint: 'Create another client session or payment.',
    outcome: 'none',
  })
