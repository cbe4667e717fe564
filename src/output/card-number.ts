import { isDigitAt, maskCards } from '../text/luhn.ts'

const FEWEST_DIGITS = 13
const MASK = '[card number]'
/** Digits in groups separated by single spaces or hyphens. */
const DIGIT_GROUPS = /\d+(?:[ \u00A0-]\d+)*/g
/** Text to skip: a UUID contains no card number, and the digits of an escape sequence (URL, JSON) belong to no number. */
const NOT_CARD_TEXT =
  /((?<![\da-z])[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}(?![\da-z])|%[\da-f]{2}|\\u[\da-f]{4}|\\[bfnrt])/i

/**
 * Masks everything that may be a card number: 13 to 19 digits, grouped or not, that pass the Luhn check. Digits next to a
 * letter belong to an ID, unless the letters are a currency code.
 */
export const maskCardNumbers = (text: string): string => maskDigits(text, () => true)

/**
 * Masks a card number in an ID. One in ten numeric IDs passes the Luhn check, so the digits must also have the prefix and
 * length of an issuer's cards.
 */
export const maskCardInId = (text: string): string =>
  maskDigits(text, (groups) => ISSUER_NUMBER.test(groups.replaceAll(/\D/g, '')))

/** What groups of digits that pass the Luhn check must be besides. */
type CardTest = (groups: string) => boolean

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
  for (let at = 0; at < text.length && digits < count; at += 1) if (isDigitAt(text, at)) digits += 1
  return digits === count
}

function maskInPlace(groups: string, at: number, piece: string, isCard: CardTest): string {
  if (groups.length < FEWEST_DIGITS) return groups
  if (FLOAT_DECIMALS.test(groups) && /\d\.$/.test(piece.slice(0, at))) return groups
  // Spaces between groups mark a card number, no matter what is next to it.
  if (/[ \u00A0]/.test(groups)) return maskGroups(groups, isCard)
  const end = at + groups.length
  const before = piece.slice(Math.max(0, at - NEIGHBOURS), at)
  const after = piece.slice(end, end + NEIGHBOURS)
  // Built when used: V8 computes the set of all letters for a literal at every start of the program.
  const isPartOfId =
    (new RegExp(String.raw`\p{L}$`, 'u').test(before) && !/(?<![\da-z])[a-z]{3}$/i.test(before)) ||
    (new RegExp(String.raw`^\p{L}`, 'u').test(after) && !/^[a-z]{3}(?![\da-z])/i.test(after))
  return isPartOfId ? groups : maskGroups(groups, isCard)
}

/** Decimals that a program has calculated: `19.990000000000002`. */
const FLOAT_DECIMALS = /^\d{0,5}(?:0{7,}|9{7,})\d{0,3}$/

/** A currency code and the character on its other side. */
const NEIGHBOURS = 4

/** Whether the text contains a card number. */
export const containsCardNumber = (text: string) => maskCardNumbers(text) !== text

/** Tries every run of whole groups: other digits may follow a card number ("4111 1111 1111 1111 12 30"). */
const maskGroups = (text: string, isCard: CardTest): string =>
  maskCards(text, MASK, FEWEST_DIGITS, (ends, start) => ends.find((end) => isCard(text.slice(start, end))))
