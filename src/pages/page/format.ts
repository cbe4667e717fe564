import { formatLocalTime, withoutSeconds } from '../../text/local-time.ts'
import { formatMoney } from '../../money/format.ts'
import { groupThousands, pluralize } from '../../text/words.ts'

/** What a value that is absent looks like. */
export const ABSENT = '–'

const zone = Intl.DateTimeFormat().resolvedOptions().timeZone

/** `2026-03-01 12:05:07 CET`, in the zone of this machine, as in the terminal. Text that is no date stays as it is. */
export const formatTime = (wire: string | undefined): string =>
  wire === undefined ? ABSENT : (formatLocalTime(wire, zone) ?? wire)

/** `2026-03-01 12:05:07`, where a column has many times. */
export const withoutZone = (time: string): string => time.slice(0, 19)

/** `2026-03-01 12:05`. */
export const formatMinute = (wire: string | undefined): string => withoutSeconds(formatTime(wire))

/** `12,360.27 EUR`. */
export const formatAmount = (
  amountMinor: number | bigint | null | undefined,
  currencyCode: string | undefined,
): string =>
  amountMinor === undefined || amountMinor === null
    ? ABSENT
    : groupDigits(formatMoney(amountMinor, currencyCode))

/** Groups the digits of every amount in a text: `Refund of 12360.27 EUR` is `Refund of 12,360.27 EUR`. */
export const groupDigits = (text: string): string =>
  text
    .split(' ')
    .map((word, index, words) =>
      /^[(-]?\d+(?:\.\d+)?$/.test(word) && /^(?:[A-Z]{3}\b|minor$)/.test(words[index + 1] ?? '')
        ? word.replace(/\d+/, groupThousands)
        : word,
    )
    .join(' ')

/** `1 payment`, `100,000 payments`. */
export const countOf = (count: number, noun: string): string => pluralize(groupThousands(count), noun)
