const MASK = '[card number]'
/** Digits in groups with single spaces or dashes between, as people and forms write them. */
const DIGIT_GROUPS = /\d+(?:[ \u00A0-]\d+)*/g

/** Replaces everything that may be a card number: 13 to 19 digits that pass the Luhn check, in groups or in one. */
export function maskCardNumbers(text: string): string {
  return text.replaceAll(DIGIT_GROUPS, maskGroups)
}

/** Whether the text holds a card number. */
export const holdsCardNumber = (text: string) => maskCardNumbers(text) !== text

/** A card number may stand beside other figures ("4111 1111 1111 1111 12 30"), so every run of whole groups is tried. */
function maskGroups(text: string): string {
  const groups = Array.from(text.matchAll(/\d+/g), ({ 0: digits, index }) => ({ digits, index }))
  for (let first = 0; first < groups.length; first += 1) {
    let digits = ''
    for (const { digits: more, index } of groups.slice(first, first + 19)) {
      digits += more
      if (digits.length > 19) break
      if (digits.length < 13 || !passesLuhn(digits)) continue
      const start = groups[first]?.index ?? 0
      const end = index + more.length
      return text.slice(0, start) + MASK + maskGroups(text.slice(end))
    }
  }
  return text
}

function passesLuhn(digits: string): boolean {
  // Zeros alone pass the sum and are no card.
  if (/^0+$/.test(digits)) return false
  let sum = 0
  for (let at = digits.length - 1, isSecond = false; at >= 0; at -= 1, isSecond = !isSecond) {
    const digit = Number(digits[at]) * (isSecond ? 2 : 1)
    sum += digit > 9 ? digit - 9 : digit
  }
  return sum % 10 === 0
}
