import { schemeOf } from './scheme.ts'

/** The text of a field and where its cursor is. */
export interface Typed {
  readonly text: string
  readonly cursor: number
}

export const digitsOf = (text: string): string => text.replaceAll(/\D/g, '')

/** `4111111111111111` is `4111 1111 1111 1111`. */
export function groupDigits(digits: string): string {
  const groups: string[] = []
  let rest = digits
  for (const size of schemeOf(digits)?.groups ?? [4, 4, 4, 4]) {
    groups.push(rest.slice(0, size))
    rest = rest.slice(size)
  }
  groups.push(rest)
  return groups.filter((group) => group !== '').join(' ')
}

/**
 * Formats a field after a keystroke and keeps the cursor after the same digit. Someone who deletes a separator means the
 * digit next to it; without that, the separator would reappear and the key would seem dead.
 */
export function retype(
  before: string,
  typed: Typed,
  { inputType, format }: { readonly inputType: string; readonly format: (digits: string) => string },
): Typed {
  let digits = digitsOf(typed.text)
  let ahead = digitsOf(typed.text.slice(0, typed.cursor)).length
  const isSeparatorDeleted = typed.text.length < before.length && digits === digitsOf(before)
  if (isSeparatorDeleted && inputType === 'deleteContentBackward' && ahead > 0) {
    digits = digits.slice(0, ahead - 1) + digits.slice(ahead)
    ahead -= 1
  }
  if (isSeparatorDeleted && inputType === 'deleteContentForward')
    digits = digits.slice(0, ahead) + digits.slice(ahead + 1)
  const text = format(digits)
  // A format may add digits, so the end is the end of the text.
  return { text, cursor: ahead === digits.length ? text.length : positionAfter(text, ahead) }
}

/** The position after the n-th digit: at the end of a group, before the separator; at the end of the text, after all of it. */
function positionAfter(text: string, count: number): number {
  if (count === 0) return 0
  let seen = 0
  for (const { index } of text.matchAll(/\d/g)) {
    seen += 1
    if (seen === count) return index + 1
  }
  return text.length
}

/** `1230` is `12/30`. A first digit above 1 is a whole month. Browsers fill in `12/2030` too. */
export function formatExpiry(digits: string): string {
  const padded = /^[2-9]/.test(digits) ? `0${digits}` : digits
  const [month, year] = [padded.slice(0, 2), padded.slice(2, 6)]
  const short = /^20\d\d$/.test(year) ? year.slice(2) : year.slice(0, 2) === '20' ? year : year.slice(0, 2)
  return short === '' ? month : `${month}/${short}`
}
