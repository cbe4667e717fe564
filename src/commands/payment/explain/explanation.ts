import { payment as paymentShape } from '../../../api/models/payment.ts'
import { parseResponse } from '../../../api/parse-response.ts'
import type { Invocation } from '../../../cli/command/invocation.ts'
import { accountFlagsOf } from '../../../cli/command/account-flags.ts'
import { withoutNulls } from '../../../cli/command/nulls.ts'
import { checkLimits } from '../../../config/limits.ts'
import { LimitError } from '../../../errors.ts'
import { formatMoney } from '../../../money/format.ts'
import { buildExplanation } from '../../../views/payment/build-explanation.ts'
import { withPaymentCurrency } from '../../../views/payment/explanation.ts'
import type { Explanation, ExplainedAction } from '../../../views/payment/explanation.ts'
import { describeOperation } from '../../../views/ops/state.ts'
import type { ShownOperation } from '../../../views/ops/state.ts'
import type { PaymentAction } from '../../../views/payment/actions.ts'
import { knownHere } from './known-here.ts'

/** All that can be said of a payment from its answer, the ledger of this machine and the limits of the profile. */
export async function explain(invocation: Invocation, id: string, json: unknown): Promise<Explanation> {
  const read = parseResponse(paymentShape, withoutNulls(json))
  if (read === undefined)
    await invocation.warn(
      'Warning: The answer is not of the shape that is expected here, and cannot be explained; pay payment get shows it as it came.',
    )
  // Of what could not be read there is nothing to tell but its id.
  const explained = buildExplanation(read ?? { id }, { id, pay: `pay${accountFlagsOf(invocation)}` })
  const known = await knownHere(invocation, id, read?.orderId)
  return {
    ...explained,
    timeline: read === undefined ? [] : explained.timeline,
    actions: await possible(invocation, explained, known),
    ledger: known === undefined ? null : [...known.open, ...known.ended],
  }
}

/** What is open comes first: until it is cleared up, the payment takes no other write from here. */
async function possible(
  invocation: Invocation,
  { actions, payment }: Pick<Explanation, 'actions' | 'payment'>,
  known: Awaited<ReturnType<typeof knownHere>>,
): Promise<readonly ExplainedAction[]> {
  const { limits, profile } = await invocation.account()
  const blocking = known?.blocking === undefined ? undefined : withPaymentCurrency(payment, known.blocking)
  const limitWords = (action: PaymentAction): string | null => {
    if (action.operation === null) return null
    try {
      const amount = { amountMinor: action.amount ?? undefined, currencyCode: payment.currencyCode }
      const { operation: operationId, risk } = action
      checkLimits(limits, profile?.value ?? '', { operationId, risk, amount, formatMoney })
      return null
    } catch (error) {
      if (error instanceof LimitError) return invocation.cleanWords(error.message)
      throw error
    }
  }
  return [
    ...(blocking === undefined ? [] : [clearUp(blocking)]),
    ...actions.map((action) => ({
      ...action,
      blocked:
        blocking !== undefined && action.risk !== 'read'
          ? `Not before that: ${openWords(blocking)}.`
          : limitWords(action),
    })),
  ]
}

function clearUp(operation: ShownOperation): ExplainedAction {
  const isAtWork = operation.state === 'sending'
  return {
    action: isAtWork ? 'look' : 'clear-up',
    operation: null,
    risk: isAtWork ? 'read' : 'money',
    amount: null,
    command: `pay ops ${isAtWork ? 'show' : 'resolve'} ${operation.id}`,
    words: isAtWork
      ? `First let it finish: ${openWords(operation)}.`
      : `First find out what became of it: ${openWords(operation)}.`,
    blocked: null,
  }
}

const openWords = (operation: ShownOperation): string =>
  `${describeOperation({ ...operation, target: null })} is ${operation.state === 'sending' ? 'under way' : 'in doubt'}`
