import { LimitError } from '../errors.ts'
import type { Limits } from './profile.ts'

export interface LimitedRequest {
  /** undefined for a call that no operation describes. */
  readonly operationId: string | undefined
  readonly risk: 'read' | 'write' | 'money' | 'destructive'
  /** What is known of it. The currency is the payment's own where there is a payment. */
  readonly amount?: { readonly amountMinor?: number | undefined; readonly currencyCode?: string | undefined }
  /** Nothing more can be learned: what is still unknown is refused. */
  readonly final?: boolean
  readonly formatMoney: (amountMinor: number, currencyCode: string) => string
}

/** A limit is there on purpose: the message says whom to ask, not how to lift it. */
const ASK_OWNER =
  'The limit is there on purpose: ask the person who set it up for this profile to do this, or to change it.'

const OPERATIONS_WITH_AMOUNT: readonly string[] = [
  'payment.create',
  'payment.authorize',
  'payment.capture',
  'payment.refund',
  'payment.adjust',
  // It goes on to authorize the amount of the payment.
  'payment.resume',
]

/**
 * Holds a call against the limits of its profile, and throws when they forbid it. `needs-payment`: amount or currency
 * hang on the payment; ask again with what it says and `final`. Whatever a limit cannot judge is refused.
 */
export function checkLimits(
  limits: Limits,
  profileName: string,
  request: LimitedRequest,
): 'ok' | 'needs-payment' {
  const { operationId, risk } = request
  if (risk === 'read') return 'ok'
  const { readOnly, operations, maxAmount } = limits
  const called = operationId ?? 'this call'
  if (readOnly) {
    throw new LimitError(`Profile "${profileName}" is read-only, and ${called} changes something.`, {
      hint: ASK_OWNER,
    })
  }
  if (operationId === undefined && (operations !== undefined || maxAmount !== undefined)) {
    throw new LimitError(
      `Profile "${profileName}" has limits, and they cannot judge a call to an unknown path.`,
      {
        hint: `Use the command for the operation. ${ASK_OWNER}`,
      },
    )
  }
  if (operations !== undefined && operationId !== undefined && !operations.includes(operationId)) {
    const allowed = operations.length === 0 ? 'no writes' : operations.join(', ')
    throw new LimitError(`Profile "${profileName}" does not allow ${operationId}.`, {
      hint: `It allows ${allowed}. ${ASK_OWNER}`,
    })
  }
  if (maxAmount === undefined || operationId === undefined || !OPERATIONS_WITH_AMOUNT.includes(operationId))
    return 'ok'
  return checkAmount(maxAmount, profileName, operationId, request)
}

function checkAmount(
  maxAmount: Readonly<Record<string, number>>,
  profileName: string,
  operationId: string,
  { amount = {}, final = false, formatMoney }: LimitedRequest,
): 'ok' | 'needs-payment' {
  const { amountMinor, currencyCode } = amount
  if (currencyCode !== undefined && !Object.hasOwn(maxAmount, currencyCode)) {
    const known = Object.keys(maxAmount).join(', ') || 'none'
    throw new LimitError(
      `Profile "${profileName}" has no limit for ${currencyCode}, so it may not move any.`,
      {
        hint: `It has limits for: ${known}. ${ASK_OWNER}`,
      },
    )
  }
  if (amountMinor === undefined || currencyCode === undefined) {
    if (!final) return 'needs-payment'
    const missing = currencyCode === undefined ? 'currency' : 'amount'
    throw new LimitError(
      `Profile "${profileName}" limits what ${operationId} may move, and the ${missing} is not known.`,
      { hint: `Give the ${missing}. "pay profile show ${profileName}" shows the limits.` },
    )
  }
  const most = maxAmount[currencyCode] ?? 0
  // Put so that NaN is refused too.
  if (amountMinor >= 0 && amountMinor <= most) return 'ok'
  const [asked, allowed] = [amountMinor, most].map((minor) => formatMoney(minor, currencyCode))
  throw new LimitError(
    `${operationId} of ${asked} is above the limit of profile "${profileName}", ${allowed}.`,
    {
      hint: ASK_OWNER,
    },
  )
}
