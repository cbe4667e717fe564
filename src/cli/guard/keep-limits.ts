import { checkLimits } from '../../config/limits.ts'
import { LimitError, PayError, isInterruption } from '../../errors.ts'
import type { CallOperation } from '../../calls/call.ts'
import { formatMoney } from '../../money/format.ts'
import type { Draft } from '../command/draft.ts'
import { fieldAt } from '../request/field-path.ts'
import { figuresOf } from './figures.ts'
import type { CommandRun } from '../command/spec.ts'
import { numberAt } from './payment-reader.ts'
import type { PaymentReader } from './payment-reader.ts'

/** Holds the call against the profile's own limits; answers what could not be checked without asking the service. */
export async function keepLimits(
  invocation: CommandRun,
  operation: CallOperation,
  draft: Draft,
  reader: PaymentReader,
): Promise<readonly string[]> {
  const { limits, profile } = await invocation.account()
  const name = profile?.value ?? ''
  const request = {
    operationId: operation.id === 'api' ? undefined : operation.id,
    risk: operation.risk,
    formatMoney,
  }
  const isSending = invocation.settings.mode === 'send'
  const known = figuresOf(operation, draft, reader.seen())
  // A currency that was written has been checked against the payment before anything is sent, so it is read by now.
  const amount = isSending
    ? known
    : { ...known, currencyCode: known.currencyCode ?? draft.money?.currencyCode }
  if (checkLimits(limits, name, { ...request, amount }) === 'ok') return []
  // What is sent as it is may hold an amount that only the service can read: no payment tells how much that is.
  const written = fieldAt(draft.body, ['amount'])
  if (written !== undefined && typeof written !== 'number')
    checkLimits(limits, name, { ...request, amount, final: true })
  if (!isSending) return [`the limits of profile ${name}, which hang on the payment`]
  const payment = draft.params['id'] === undefined ? undefined : await readForLimit(reader)
  const { amountMinor, currencyCode } = figuresOf(operation, draft, payment)
  checkLimits(limits, name, {
    ...request,
    amount: {
      amountMinor: amountMinor ?? invocation.spec.money?.whole(payment) ?? numberAt(payment, 'amount'),
      currencyCode,
    },
    final: true,
  })
  return []
}

/** What the profile forbids whatever the amount is refused before a person is asked for anything. */
export async function refuseForbidden(
  invocation: CommandRun,
  { id: operationId, risk }: Pick<CallOperation, 'id' | 'risk'>,
): Promise<void> {
  const { limits, profile } = await invocation.account()
  checkLimits(limits, profile?.value ?? '', { operationId, risk, formatMoney })
}

async function readForLimit(reader: PaymentReader): Promise<unknown> {
  try {
    return await reader.read()
  } catch (error) {
    if (!(error instanceof PayError) || isInterruption(error)) throw error
    throw new LimitError(
      `The profile's limits depend on the payment, which could not be read: ${error.message}`,
      { cause: error },
    )
  }
}
