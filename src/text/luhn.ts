/** The check of card numbers (ISO/IEC 7812, annex B). */

const ZERO = 0x30
const MOST_DIGITS = 19

/** Whether the digits, at most 19, pass the check. Only zeros are no card number. */
export const passesLuhn = (digits: string): boolean => cardEnds(digits, 0, digits.length).length > 0

/**
 * Where the card numbers end that may start here, shortest first: whole groups of digits, with any separators between them, that
 * pass the check. Looks at 19 digits at most, however long the text is.
 */
function cardEnds(text: string, start: number, fewestDigits: number): readonly number[] {
  const ends: number[] = []
  // Every second digit counts twice, from the last one but one backwards: `otherSum` is for one digit more.
  let [sum, otherSum, count] = [0, 0, 0]
  for (let at = start; at < text.length && count < MOST_DIGITS; at += 1) {
    if (!isDigitAt(text, at)) continue
    const digit = text.charCodeAt(at) - ZERO
    const doubled = digit > 4 ? digit * 2 - 9 : digit * 2
    ;[sum, otherSum] = [otherSum + digit, sum + doubled]
    count += 1
    if (count >= fewestDigits && sum > 0 && sum % 10 === 0 && !isDigitAt(text, at + 1)) ends.push(at + 1)
  }
  return ends
}

/**
 * Puts a mask in place of card numbers, each of whole groups of digits: other digits can come before and after it. `endOf` chooses one of
 * the ends that {@link cardEnds} finds.
 */
export function maskCards(
  text: string,
  mask: string,
  fewestDigits: number,
  endOf: (ends: readonly number[], start: number) => number | undefined,
): string {
  let [masked, keptFrom] = ['', 0]
  for (let at = 0; at < text.length; at += 1) {
    if (!isDigitAt(text, at) || isDigitAt(text, at - 1)) continue
    const end = endOf(cardEnds(text, at, fewestDigits), at)
    if (end === undefined) continue
    masked += text.slice(keptFrom, at) + mask
    keptFrom = end
    at = end
  }
  return masked + text.slice(keptFrom)
}

export function isDigitAt(text: string, at: number): boolean {
  const unit = text.charCodeAt(at)
  return unit >= ZERO && unit <= ZERO + 9
}
