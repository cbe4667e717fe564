import { formatMoney } from '../money/format.ts'
import { maskCardNumbers } from '../output/card-number.ts'
import type { Detail } from '../output/details.ts'
import { maskApiKey } from '../output/redact.ts'
import { safeText } from '../output/safe-text.ts'
import { formatRedactedEntry } from '../output/redacted-value.ts'
import { pluralize } from '../text/words.ts'

/** An ID, name or code of the service, safe for a terminal. */
export function formatField(text: string): string
export function formatField(text: string | undefined): string | undefined
export function formatField(text: string | undefined): string | undefined {
  return text === undefined ? undefined : safeText(text)
}

/** Free text, safe for a terminal and with card numbers masked. */
export function formatFreeText(text: string | undefined): string | undefined {
  return text === undefined ? undefined : safeText(maskCardNumbers(text))
}

/** An API key with all but its last four characters masked. */
export const formatApiKey = (apiKey: string): string => maskApiKey(apiKey)

/** `5.00 EUR`; undefined for an unknown amount. */
export function formatAmount(
  amountMinor: number | undefined,
  currencyCode: string | undefined,
): string | undefined {
  return amountMinor === undefined ? undefined : safeText(formatMoney(amountMinor, currencyCode))
}

/** Joins the parts that aren't empty. */
export const joinParts = (parts: readonly (string | undefined)[], separator = ', '): string =>
  parts.filter((part) => part !== undefined && part !== '').join(separator)

/** What `where` does to a file. */
export const rejectsSentence = (path: string, rows: number): string =>
  `Rejects: ${path} (${rows === 0 ? 'no rows' : `${pluralize(rows, 'row')}, each with the reason`})`

/** `text (note)`, or the one that is present. */
export function addNote(text: string | undefined, note: string | undefined): string | undefined {
  if (text === undefined || text === '') return note
  return note === undefined || note === '' ? text : `${text} (${note})`
}

export const formatYesNo = (flag: boolean | undefined) =>
  flag === undefined ? undefined : flag ? 'yes' : 'no'

/** One line per entry of the merchant's metadata. */
export function metadataDetails(metadata: Readonly<Record<string, unknown>> | undefined): readonly Detail[] {
  return Object.entries(metadata ?? {}).map(([key, value], index) => [
    index === 0 ? 'Metadata' : '',
    formatRedactedEntry(key, value),
  ])
}
