import { formatLocalTime, withoutSeconds } from '../../../local-time.ts'
import { formatMoney } from '../../../money/format.ts'

/** What a value that is absent looks like. */
export const ABSENT = '–'

const zone = Intl.DateTimeFormat().resolvedOptions().timeZone

/** `2026-03-01 12:05:07 CET`, in the zone of this machine, as in the terminal. Text that is no date stays as it is. */
export const formatTime = (wire: string | undefined): string =>
  wire === undefined ? ABSENT : (formatLocalTime(wire, zone) ?? wire)

/** `2026-03-01 12:05`. */
export const formatMinute = (wire: string | undefined): string => withoutSeconds(formatTime(wire))

/** `49.90 EUR`. */
export const formatAmount = (
  amountMinor: number | bigint | null | undefined,
  currencyCode: string | undefined,
): string =>
  amountMinor === undefined || amountMinor === null ? ABSENT : formatMoney(amountMinor, currencyCode)

/** `100,000`. */
export const formatCount = (count: number): string => count.toLocaleString('en-US')
