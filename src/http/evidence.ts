/**
 * What a payment, read long after a write, tells of that write. `absent`: it was not done. `shown`: it was, once.
 * `unclear`: more than one story fits what is there.
 */
export type Evidence = 'absent' | 'shown' | 'unclear'

type Fields = Readonly<Record<string, unknown>>

/** Clocks of two machines differ, and so may the moments they give to one event. */
const CLOCKS_DIFFER_MS = 5 * 60 * 1000

export function evidenceOf(operation: string, request: unknown, payment: unknown, since: Date): Evidence {
  if (!isRecord(payment)) return 'unclear'
  const asked = isRecord(request) ? request : {}
  const status = textOf(payment, 'status')
  const processor = isRecord(payment['processor']) ? payment['processor'] : {}
  switch (operation) {
    case 'payment.refund':
      return evidenceOfRefund(asked, payment, processor, since)
    case 'payment.capture':
      return evidenceOfCapture(asked, status, processor)
    case 'payment.cancel':
      return status === undefined ? 'unclear' : status === 'CANCELLED' ? 'shown' : 'absent'
    case 'payment.authorize':
      return evidenceOfAuthorization(asked, status, processor)
    default:
      return 'unclear'
  }
}

/** A refund that failed is one that was processed, so it counts. */
function evidenceOfRefund(asked: Fields, payment: Fields, processor: Fields, since: Date): Evidence {
  const { transactions } = payment
  if (!Array.isArray(transactions)) {
    const refunded = processor['amountRefunded']
    return typeof refunded === 'number' && refunded < leastOf(asked['amount']) ? 'absent' : 'unclear'
  }
  const entries: readonly unknown[] = transactions
  const alike = entries
    .filter(isRecord)
    .filter((entry) => entry['transactionType'] === 'REFUND')
    .filter((entry) => ['amount', 'orderId', 'reason'].every((field) => isAlike(asked[field], entry[field])))
  const dated = alike.map((entry) => momentOf(textOf(entry, 'date')))
  if (dated.includes(undefined)) return 'unclear'
  const later = dated.filter((ms) => ms !== undefined && ms >= since.getTime() - CLOCKS_DIFFER_MS)
  return later.length === 0 ? 'absent' : later.length === 1 ? 'shown' : 'unclear'
}

const BEFORE_CAPTURE = ['PENDING', 'AUTHORIZED', 'CANCELLED']

function evidenceOfCapture(asked: Fields, status: string | undefined, processor: Fields): Evidence {
  if (status !== undefined && BEFORE_CAPTURE.includes(status)) return 'absent'
  const captured = processor['amountCaptured']
  if (typeof captured !== 'number') return 'unclear'
  if (captured < leastOf(asked['amount'])) return 'absent'
  return captured === asked['amount'] ? 'shown' : 'unclear'
}

function evidenceOfAuthorization(asked: Fields, status: string | undefined, processor: Fields): Evidence {
  if (status === 'PENDING') return 'absent'
  if (status === undefined || ['CANCELLED', 'DECLINED', 'FAILED'].includes(status)) return 'unclear'
  const wanted = isRecord(asked['processor']) ? asked['processor'] : {}
  const merchant = processor['processorMerchantId']
  return merchant !== undefined && merchant === wanted['processorMerchantId'] ? 'shown' : 'unclear'
}

const leastOf = (asked: unknown): number => (typeof asked === 'number' ? asked : 1)

/** What was left out on either side tells nothing. */
const isAlike = (asked: unknown, found: unknown): boolean =>
  asked === undefined || found === undefined || found === null || asked === found

/** Times without a zone are UTC. */
export function momentOf(text: string | undefined): number | undefined {
  if (text === undefined) return undefined
  const ms = Date.parse(/(?:Z|[+-]\d{2}:?\d{2})$/i.test(text) ? text : `${text}Z`)
  return Number.isNaN(ms) ? undefined : ms
}

function textOf(record: Fields, key: string): string | undefined {
  const value = record[key]
  return typeof value === 'string' ? value : undefined
}

const isRecord = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
