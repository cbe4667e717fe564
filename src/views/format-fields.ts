import { formatMoney } from '../money/format.ts'
import { maskCardNumbers } from '../output/card-number.ts'
import type { Detail } from '../output/details.ts'
import { maskApiKey } from '../output/redact.ts'
import { safeText } from '../output/safe-text.ts'
import { formatRedactedEntry } from '../output/redacted-value.ts'

/** An id, a name, a code of the service. */
export function formatField(text: string): string
export function formatField(text: string | undefined): string | undefined
export function formatField(text: string | undefined): string | undefined {
  return text === undefined ? undefined : safeText(text)
}

/** Words that somebody wrote: they may hold anything, a card number too. */
export function formatFreeText(text: string | undefined): string | undefined {
  return text === undefined ? undefined : safeText(maskCardNumbers(text))
}

/** A key, so far that two can be told apart. */
export const shownKey = (apiKey: string): string => maskApiKey(apiKey)

/** Money with its currency; nothing where the amount is not known. */
export function formatAmount(
  amountMinor: number | undefined,
  currencyCode: string | undefined,
): string | undefined {
  return amountMinor === undefined ? undefined : safeText(formatMoney(amountMinor, currencyCode))
}

/** The parts that there are. */
export const joinParts = (parts: readonly (string | undefined)[], separator = ', '): string =>
  parts.filter((part) => part !== undefined && part !== '').join(separator)

/** `1,234`. Not by Intl, which takes 50 ms to begin with. */
export const groupThousands = (number: number): string => String(number).replaceAll(/\B(?=(?:\d{3})+$)/g, ',')

/** `2 rows`. */
export const pluralize = (count: number, what: string): string => `${count} ${what}${count === 1 ? '' : 's'}`

export const capitalize = (words: string): string => words.charAt(0).toUpperCase() + words.slice(1)

/** `first (second)`, or whichever of the two there is. */
export function addNote(text: string | undefined, note: string | undefined): string | undefined {
  if (text === undefined || text === '') return note
  return note === undefined || note === '' ? text : `${text} (${note})`
}

export const formatYesNo = (flag: boolean | undefined) =>
  flag === undefined ? undefined : flag ? 'yes' : 'no'

/** A line for each entry of the merchant's own metadata. */
export function metadataDetails(metadata: Readonly<Record<string, unknown>> | undefined): readonly Detail[] {
  return Object.entries(metadata ?? {}).map(([key, value], index) => [
    index === 0 ? 'Metadata' : '',
    formatRedactedEntry(key, value),
  ])
}
