import type { PaymentStatus } from '../api/sets.ts'

/** How a status looks: a mark goes with each, so that colour is never the only sign. */
export interface StatusStyle {
  readonly mark: string
  readonly tone: 'good' | 'bad' | 'warn' | 'dim' | 'strong'
}

const STATUS_STYLES: Readonly<Record<PaymentStatus, StatusStyle>> = {
  PENDING: { mark: '…', tone: 'warn' },
  AUTHORIZED: { mark: '✓', tone: 'good' },
  SETTLING: { mark: '…', tone: 'good' },
  PARTIALLY_SETTLED: { mark: '…', tone: 'good' },
  SETTLED: { mark: '✓', tone: 'good' },
  DECLINED: { mark: '✗', tone: 'bad' },
  FAILED: { mark: '✗', tone: 'bad' },
  CANCELLED: { mark: '–', tone: 'dim' },
}
const UNKNOWN_STATUS: StatusStyle = { mark: '?', tone: 'strong' }

/** An unknown status gets a question mark. */
export function styleOfStatus(status: string): StatusStyle {
  const styles: Readonly<Record<string, StatusStyle>> = STATUS_STYLES
  return (Object.hasOwn(styles, status) ? styles[status] : undefined) ?? UNKNOWN_STATUS
}
