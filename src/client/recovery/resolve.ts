import { EXIT, PayError } from '../../errors.ts'
import type { DoubtfulWrite } from '../ledger/port.ts'
import { parseJson } from '../../json/json.ts'
import type { Call, CallOperation } from '../calls/call.ts'
import type { ConfirmSend, Resolution, ResolveOptions } from '../calls/client-port.ts'
import { inDoubt, unread } from './resolution.ts'
import type { ResolutionContext } from './resolution.ts'
import { resolveByOrder } from './by-order.ts'
import { resolveByComparison, resolveByStatus } from './by-reading.ts'
import { resolveKeyed } from './by-key.ts'
import { whyNotOurs } from '../calls/unrecorded.ts'

/**
 * Finds out what happened to a write whose outcome is unknown. It sends only the same request with the same key, or an
 * absolute value while the payment is unchanged.
 */
export async function resolve(
  options: Omit<ResolutionContext, 'began'>,
  intent: DoubtfulWrite,
  { operation, confirmSend, ...more }: ResolveOptions,
): Promise<Resolution> {
  const context = { ...options, apiVersion: intent.apiVersion, began: intent.now() }
  if (operation === undefined)
    return inDoubt('This version of pay does not know the operation, so it cannot find out.')
  const asked = { ...more, confirmSend: confirmWhileOurs(intent, confirmSend) }
  return byRule(context, intent, operation, asked).catch((error: unknown) => {
    if (!(error instanceof PayError)) throw error
    return unread(error.message, error)
  })
}

/** Checks ownership again after the prompt: while the user thinks, another process may take over the record. */
const confirmWhileOurs =
  (intent: DoubtfulWrite, confirmSend: ConfirmSend): ConfirmSend =>
  async (facts) => {
    if (!(await confirmSend(facts))) return false
    if ((await intent.standing()) === 'ours') return true
    throw new PayError('in_progress', EXIT.conflict, await whyNotOurs(intent))
  }

async function byRule(
  options: ResolutionContext,
  intent: DoubtfulWrite,
  operation: CallOperation,
  resolveOptions: Omit<ResolveOptions, 'operation'>,
): Promise<Resolution> {
  if (operation.keepsBody && intent.request === undefined)
    return inDoubt(
      'The request may have contained a card number, so it was not stored and cannot be sent again: check the payment, then abandon the record.',
    )
  switch (operation.replay) {
    case 'keyed':
      return intent.request === undefined
        ? resolveByOrder(options, intent)
        : resolveKeyed(options, intent, callOf(intent, operation), resolveOptions)
    case 'compare':
      return resolveByComparison(options, intent, callOf(intent, operation), resolveOptions.confirmSend)
    case 'look':
      return resolveByStatus(options, intent)
    case 'safe':
      return inDoubt(
        'The request was not stored, so it cannot be sent again from here. Repeating it is harmless: run the original command again to resolve this.',
      )
    case 'never':
      return inDoubt(
        operation.risk === 'money'
          ? "The service has no way to look this up: check the provider's own records, then abandon the record."
          : 'The service has no way to look this up. At worst it left something unused behind: abandon the record.',
      )
  }
}

function callOf(intent: DoubtfulWrite, operation: CallOperation): Call {
  const text = intent.request?.body
  return {
    operation,
    params: intent.request?.params ?? {},
    ...(text === undefined ? {} : { body: { value: parseJson(text), text } }),
    amount: intent.amount,
    currencyCode: intent.currencyCode,
  }
}
