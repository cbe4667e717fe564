const ZERO = 0x30
const FEWEST_DIGITS = 13
const MOST_DIGITS = 19
const MASK = '[card number]'
/** Digits in groups separated by single spaces or hyphens. */
const DIGIT_GROUPS = /\d+(?:[ \u00A0-]\d+)*/g
/** Text to skip: a UUID contains no card number, and the digits of an escape sequence (URL, JSON) belong to no number. */
const NOT_CARD_TEXT =
  /((?<![\da-z])[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}(?![\da-z])|%[\da-f]{2}|\\u[\da-f]{4}|\\[bfnrt])/i

/**
 * Masks everything that may be a card number: 13 to 19 digits, grouped or not, that pass the Luhn check. Digits next to a
 * letter belong to an id, unless the letters are a currency code.
 */
export const maskCardNumbers = (text: string): string => maskDigits(text, passesLuhn)

/**
 * Masks a card number in an id. One in ten numeric ids passes the Luhn check, so the digits must also have the prefix and
 * length of an issuer's cards.
 */
export const maskCardInId = (text: string): string =>
  maskDigits(text, (digits) => ISSUER_NUMBER.test(digits) && passesLuhn(digits))

type CardTest = (digits: string) => boolean

/** Visa, Mastercard, Mir, American Express, Diners Club, JCB, Maestro, then Discover, UnionPay and similar. */
const ISSUER_NUMBER =
  /^(?:4(?:\d{12}|\d{15}|\d{18})|5[1-5]\d{14}|2(?:22[1-9]|2[3-9]\d|[3-6]\d\d|7[01]\d|720)\d{12}|220[0-4]\d{12,15}|3[47]\d{13}|3(?:0[0-5]|095|[689])\d{11,}|35(?:2[89]|[3-8]\d)\d{12,}|5[06-8]\d{11,}|6\d{12,})$/

function maskDigits(text: string, isCard: CardTest): string {
  if (!hasDigits(text, FEWEST_DIGITS)) return text
  return text
    .split(NOT_CARD_TEXT)
    .map((part, index) =>
      index % 2 === 1
        ? part
        : part.replaceAll(DIGIT_GROUPS, (groups: string, offset: number, piece: string) =>
            maskInPlace(groups, offset, piece, isCard),
          ),
    )
    .join('')
}

/** A quick test that rules out most texts. */
function hasDigits(text: string, count: number): boolean {
  let digits = 0
  for (let at = 0; at < text.length && digits < count; at += 1) {
    const unit = text.charCodeAt(at)
    if (unit >= ZERO && unit <= ZERO + 9) digits += 1
  }
  return digits === count
}

function maskInPlace(groups: string, at: number, piece: string, isCard: CardTest): string {
  if (groups.length < FEWEST_DIGITS) return groups
  // Spaces between groups mark a card number, no matter what is next to it.
  if (/[ \u00A0]/.test(groups)) return maskGroups(groups, isCard)
  const [before, after] = [piece.slice(0, at), piece.slice(at + groups.length)]
  const isPartOfId =
    (letterAt('end').test(before) && !/(?<![\da-z])[a-z]{3}$/i.test(before)) ||
    (letterAt('start').test(after) && !/^[a-z]{3}(?![\da-z])/i.test(after))
  return isPartOfId ? groups : maskGroups(groups, isCard)
}

/** Matches a letter at one end of a text. Built when used: V8 computes the set of all letters for a literal at every start of the program. */
const letterAt = (end: 'start' | 'end'): RegExp =>
  new RegExp(end === 'start' ? String.raw`^\p{L}` : String.raw`\p{L}$`, 'u')

/** Whether the text contains a card number. */
export const containsCardNumber = (text: string) => maskCardNumbers(text) !== text

/** Tries every run of whole groups: other digits may follow a card number ("4111 1111 1111 1111 12 30"). */
function maskGroups(text: string, isCard: CardTest): string {
  const groups = Array.from(text.matchAll(/\d+/g), ({ 0: digits, index }) => ({ digits, index }))
  for (let first = 0; first < groups.length; first += 1) {
    let digits = ''
    for (const { digits: more, index } of groups.slice(first, first + MOST_DIGITS)) {
      digits += more
      if (digits.length > MOST_DIGITS) break
      if (digits.length < FEWEST_DIGITS || !isCard(digits)) continue
      const start = groups[first]?.index ?? 0
      const end = index + more.length
      return text.slice(0, start) + MASK + maskGroups(text.slice(end), isCard)
    }
  }
  return text
}

function passesLuhn(digits: string): boolean {
  // Only zeros: passes the sum but is no card number.
  if (/^0+$/.test(digits)) return false
  let sum = 0
  for (let at = digits.length - 1, isSecond = false; at >= 0; at -= 1, isSecond = !isSecond) {
    const digit = Number(digits[at]) * (isSecond ? 2 : 1)
    sum += digit > 9 ? digit - 9 : digit
  }
  return sum % 10 === 0
}
