import type { CallOperation } from '../../client/calls/call.ts'
import { checkLimits } from '../../client/config/limits.ts'
import { LimitError, PayError, isInterruption } from '../../errors.ts'
import { formatMoney } from '../../money/format.ts'
import type { Draft } from '../command/draft.ts'
import type { Invocation } from '../command/invocation.ts'
import type { CommandRun } from '../command/spec.ts'
import { fieldAt, numberAt } from '../../json/fields.ts'
import { figuresOf, createPaymentReader } from './figures.ts'
import type { PaymentReader } from './figures.ts'

/**
 * Checks a call against the limits of the profile, and reads the payment if they depend on it. Returns the checks that a
 * dry run leaves out because they need the service.
 * @throws {LimitError} if a limit forbids the call
 */
export async function enforceLimits(
  run: CommandRun,
  operation: CallOperation,
  draft: Draft,
  reader: PaymentReader = createPaymentReader(run, draft),
): Promise<readonly string[]> {
  const { limits, profile } = await run.account()
  const name = profile?.value ?? ''
  const request = {
    operationId: operation.id === 'api' ? undefined : operation.id,
    risk: operation.risk,
    formatMoney,
  }
  const isSending = run.settings.mode === 'send'
  const knownFigures = figuresOf(operation, draft, reader.cached())
  // When sending, a typed currency has already been checked against the payment, which is read by now.
  const amount = isSending
    ? knownFigures
    : { ...knownFigures, currencyCode: knownFigures.currencyCode ?? draft.money?.currencyCode }
  if (checkLimits(limits, name, { ...request, amount }) === 'ok') return []
  // With --no-validate the amount may not be a number. Reading the payment doesn't help then, so check at once.
  const bodyAmount = fieldAt(draft.body, ['amount'])
  if (bodyAmount !== undefined && typeof bodyAmount !== 'number')
    checkLimits(limits, name, { ...request, amount, isFinalCheck: true })
  if (!isSending) return [`the limits of profile ${name}, which depend on the payment`]
  const payment = draft.params['id'] === undefined ? undefined : await readForLimit(reader)
  const { amountMinor, currencyCode } = figuresOf(operation, draft, payment)
  checkLimits(limits, name, {
    ...request,
    amount: {
      amountMinor: amountMinor ?? run.spec.money?.fullAmount(payment) ?? numberAt(payment, 'amount'),
      currencyCode,
    },
    isFinalCheck: true,
  })
  return []
}

/**
 * Refuses an operation that the profile forbids for every amount. Call this before the first question.
 * @throws {LimitError}
 */
export async function refuseForbidden(
  invocation: Invocation,
  { id: operationId, risk }: Pick<CallOperation, 'id' | 'risk'>,
): Promise<void> {
  const { limits, profile } = await invocation.account()
  checkLimits(limits, profile?.value ?? '', { operationId, risk, formatMoney })
}

/** Returns a check for amounts as they are typed, in minor units. Without an amount, it checks only the operation. */
export async function createLimitCheck(
  invocation: Invocation,
  operation: Pick<CallOperation, 'id' | 'risk'>,
  currencyCode: string | undefined,
): Promise<(amountMinor: number | undefined) => LimitError | undefined> {
  const { limits, profile } = await invocation.account()
  return (amountMinor) => {
    try {
      checkLimits(limits, profile?.value ?? '', {
        operationId: operation.id,
        risk: operation.risk,
        formatMoney,
        amount: { amountMinor, currencyCode },
      })
      return undefined
    } catch (error) {
      if (error instanceof LimitError) return error
      throw error
    }
  }
}

async function readForLimit(reader: PaymentReader): Promise<unknown> {
  try {
    return await reader.read()
  } catch (error) {
    if (!(error instanceof PayError) || isInterruption(error)) throw error
    throw new LimitError(
      `The profile's limits depend on the payment, which could not be read (${error.message})`,
      { cause: error },
    )
  }
}
