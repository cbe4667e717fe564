import { EXIT, PayError } from '../../errors.ts'
import type { StoredIntent } from '../../ledger/port.ts'
import { parseJson } from '../../json/json.ts'
import type { Call, CallOperation } from '../call.ts'
import type { ClientOptions, MaySend, Resolution, ResolveOptions } from '../client-port.ts'
import { resolutionContextFor } from './settle-delay.ts'
import type { ResolutionContext } from './settle-delay.ts'
import { inDoubt } from './resolution.ts'
import { resolveByOrder } from './by-order.ts'
import { resolveCompared, resolveLooked } from './by-reading.ts'
import { resolveKeyed } from './by-key.ts'

/**
 * Finds out what has become of a write whose outcome nobody saw. Whatever it sends is the same request with the same
 * key, or a value that is set once more while nothing has changed.
 */
export async function resolve(
  clientOptions: ClientOptions,
  intent: StoredIntent,
  { operation, maySend }: ResolveOptions,
): Promise<Resolution> {
  const context = resolutionContextFor({ ...clientOptions, apiVersion: intent.apiVersion }, intent)
  const found =
    operation === undefined
      ? inDoubt('pay does not know that operation, so it cannot find out.')
      : await byRule(context, intent, operation, whileOurs(intent, maySend)).catch((error: unknown) => {
          if (!(error instanceof PayError)) throw error
          return inDoubt(error.message)
        })
  return found.kind === 'in-doubt' ? { ...found, underWayAt: context.underWayAt() } : found
}

/** A person may think about it for longer than this process is taken to be at work. */
const whileOurs =
  (intent: StoredIntent, maySend: MaySend): MaySend =>
  async (facts) => {
    if (!(await maySend(facts))) return false
    if (await intent.isOurs()) return true
    throw new PayError('in_progress', EXIT.conflict, 'Another process has gone on with it: nothing was sent')
  }

async function byRule(
  options: ResolutionContext,
  intent: StoredIntent,
  operation: CallOperation,
  maySend: MaySend,
): Promise<Resolution> {
  if (operation.keepsBody === true && intent.request === undefined)
    return inDoubt(
      'What was sent may have held a card number, so it was not kept and cannot be sent again: compare the payment with what you know, then abandon it here.',
    )
  switch (operation.replay) {
    case 'keyed':
      return intent.request === undefined
        ? resolveByOrder(options, intent)
        : resolveKeyed(options, intent, callOf(intent, operation), maySend)
    case 'compare':
      return resolveCompared(options, intent, callOf(intent, operation), maySend)
    case 'look':
      return resolveLooked(options, intent)
    case 'safe':
      return inDoubt(
        'What was sent is not intent, so it cannot be sent again from here. Doing the same once more is harmless: type the command again, and that clears this up.',
      )
    case 'never':
      return inDoubt(
        operation.risk === 'money'
          ? "The service cannot be asked about it: look at the provider's own records, then abandon it here."
          : 'The service cannot be asked about it. At worst something was made that nobody uses: abandon it here.',
      )
  }
}

function callOf(intent: StoredIntent, operation: CallOperation): Call {
  const text = intent.request?.body
  return {
    operation,
    params: intent.request?.params ?? {},
    ...(text === undefined ? {} : { body: { value: parseJson(text), text } }),
    amount: intent.amount,
    currencyCode: intent.currencyCode,
  }
}
