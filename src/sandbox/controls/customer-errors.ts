import { UsageError } from '../../errors.ts'
import { CHECKOUT_METHODS } from '../domain/scenarios/checkout-methods.ts'
import type { StoredPayment } from '../domain/stored.ts'

/** Refusals of `tokenize` and `challenge`. `control-problem.ts` says how they appear over HTTP. */

export const unknownCard = () =>
  new UsageError('Unknown test card number', {
    code: 'unknown_card',
    hint: 'Use one of the numbers that `pay sandbox scenarios` lists.',
    outcome: 'none',
    next: ['pay sandbox scenarios'],
  })

/** Methods that `tokenize` takes by their type. */
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
    hint: `\`pay payment get ${id} --sandbox\` shows it.`,
    outcome: 'none',
  })
