import { isRefund, movesMoney } from '../../api/facts.ts'
import { LimitError } from '../../errors.ts'
import type { Limits } from './profile.ts'
import { shellWord } from '../../files/shell.ts'

export interface LimitedRequest {
  /** Undefined for a call to a path without an operation. */
  readonly operationId: string | undefined
  readonly risk: 'read' | 'write' | 'money' | 'destructive'
  /** The known amount, with the payment's currency if there is a payment. */
  readonly amount?: { readonly amountMinor?: number | undefined; readonly currencyCode?: string | undefined }
  /** Whether no check with more facts follows, so that an unknown amount or currency is refused. */
  readonly isFinalCheck?: boolean
  readonly formatMoney: (amountMinor: number, currencyCode: string) => string
}

/** Names the person to ask. Leaves out how to lift the limit: someone else set it on purpose. */
const ASK_OWNER = 'Ask the person who set this limit to run the command or change the limit.'

const PLAN_INSTEAD =
  'Larger amounts need a second person: pay batch plan, pay batch approve, pay batch apply.'

/** What a batch does. */
const PLANNED: readonly string[] = ['payment.refund', 'payment.capture', 'payment.cancel']

/** `needs-payment`: amount or currency depend on the payment; read it and check again with `isFinalCheck`. */
type Verdict = 'ok' | 'needs-payment' | LimitError

/** Checks a call against the limits of its profile. A call that can't be checked against them is refused. */
export function checkLimits(limits: Limits, profileName: string, request: LimitedRequest): Verdict {
  const { operationId, risk } = request
  if (risk === 'read') return 'ok'
  const { readOnly, operations, maxAmount, maxTotal, maxCount } = limits
  const callName = operationId ?? 'this call'
  if (readOnly) {
    return new LimitError(`Profile "${profileName}" is read-only, but ${callName} makes changes`, {
      hint: ASK_OWNER,
    })
  }
  if (
    operationId === undefined &&
    [operations, maxAmount, maxTotal, maxCount].some((limit) => limit !== undefined)
  ) {
    return new LimitError(
      `Profile "${profileName}" has limits, which cannot be checked for a call to an unknown path`,
      {
        hint: `Use the operation's own command. ${ASK_OWNER}`,
      },
    )
  }
  if (operations !== undefined && operationId !== undefined && !operations.includes(operationId)) {
    const allowed = operations.length === 0 ? 'no writes' : operations.join(', ')
    return new LimitError(`Profile "${profileName}" does not allow ${operationId}`, {
      hint: `It allows ${allowed}. ${ASK_OWNER}`,
    })
  }
  if (operationId === undefined || !movesMoney(operationId)) return 'ok'
  const single = maxAmount === undefined ? 'ok' : checkAmount(limits, profileName, operationId, request)
  if (single !== 'ok' || maxTotal === undefined || !isRefund(operationId)) return single
  return checkFigures({ of: 'total of refunds', limited: maxTotal }, profileName, request)
}

interface Limited {
  /** What is limited, for messages. */
  readonly of: string
  /** The limits by currency. */
  readonly limited: Readonly<Record<string, unknown>>
}

/** Refuses a currency without a limit, and an amount that isn't known. */
function checkFigures(
  { of, limited }: Limited,
  profileName: string,
  { amount: { amountMinor, currencyCode } = {}, isFinalCheck = false }: LimitedRequest,
): Verdict {
  if (currencyCode !== undefined && !Object.hasOwn(limited, currencyCode)) {
    const limitedCurrencies = Object.keys(limited).join(', ') || 'none'
    return new LimitError(
      `Profile "${profileName}" has no limit for ${currencyCode}, so it cannot move money in this currency`,
      { hint: `It has limits for: ${limitedCurrencies}. ${ASK_OWNER}` },
    )
  }
  if (amountMinor !== undefined && currencyCode !== undefined) return 'ok'
  if (!isFinalCheck) return 'needs-payment'
  const missing = currencyCode === undefined ? 'currency' : 'amount'
  return new LimitError(`Profile "${profileName}" limits the ${of}, but the ${missing} is unknown`, {
    hint: `Give the ${missing}. "pay profile show ${shellWord(profileName)}" shows the limits.`,
  })
}

function checkAmount(
  limits: Limits,
  profileName: string,
  operationId: string,
  request: LimitedRequest,
): Verdict {
  const { maxAmount = {} } = limits
  const { amount: { amountMinor = NaN, currencyCode = '' } = {}, formatMoney } = request
  const verdict = checkFigures({ of: `amount of ${operationId}`, limited: maxAmount }, profileName, request)
  if (verdict !== 'ok') return verdict
  const canBePlanned = PLANNED.includes(operationId)
  const hint = limits.approvals === undefined || !canBePlanned ? ASK_OWNER : PLAN_INSTEAD
  const limit = maxAmount[currencyCode] ?? 0
  // Written so that NaN is refused too.
  if (amountMinor >= 0 && amountMinor <= limit) return 'ok'
  const [requested, allowed] = [amountMinor, limit].map((minor) => formatMoney(minor, currencyCode))
  return new LimitError(
    `${operationId} of ${requested} exceeds the limit of profile "${profileName}": ${allowed}`,
    {
      hint,
    },
  )
}
