import stringWidth from 'string-width'

/** ASCII and the marks of most tables: a column each. */
const NARROW = /^[ -~✓✗…]*$/
/**
 * Corrections to string-width 4: emoji of Unicode 13 and later take two columns too; combining marks and format characters
 * take none. Strings until first use: for a literal, V8 computes the character sets even if it is never used.
 */
const EMOJI = String.raw`(?:(?!\p{Regional_Indicator})\p{Emoji_Presentation}|\p{Emoji}\uFE0F\u20E3?)\p{Emoji_Modifier}?(?:\u200D\p{Emoji}\uFE0F?\p{Emoji_Modifier}?)*`
const NO_COLUMN = String.raw`[\p{Mn}\p{Me}\p{Cf}]`
/**
 * A run of combining marks. Ordering marks takes a time quadratic in their number, so Unicode has them interrupted after 30
 * (UAX 15, stream-safe text).
 */
const MARKS = String.raw`\p{M}+`
const THIRTY = /[^]{30}/gu
const JOINER = '\u034F'
let shapes: { readonly emoji: RegExp; readonly noColumn: RegExp; readonly marks: RegExp } | undefined

/** Terminal columns of a text. Colour codes take none. */
export function widthOf(text: string): number {
  if (NARROW.test(text)) return text.length
  shapes ??= {
    emoji: new RegExp(EMOJI, 'gu'),
    noColumn: new RegExp(NO_COLUMN, 'gu'),
    marks: new RegExp(MARKS, 'gu'),
  }
  // Normalized: a Korean syllable, or a kana with its mark, is drawn as one character.
  const normal = text.replaceAll(shapes.marks, (marks) => marks.replaceAll(THIRTY, `$&${JOINER}`)).normalize()
  return stringWidth(normal.replaceAll(shapes.emoji, '  ').replaceAll(shapes.noColumn, ''))
}

/** The width of the widest text. Not by `Math.max`, which fails above some 100,000 arguments. */
export const widestOf = (texts: readonly string[]): number =>
  texts.reduce((most, text) => Math.max(most, widthOf(text)), 0)

/** The text, or as much as fits before a `…`. Combining marks stay with their character. */
export function truncate(text: string, width: number): string {
  if (widthOf(text) <= width) return text
  if (width < 1) return ''
  if (NARROW.test(text)) return `${text.slice(0, width - 1)}…`
  // In a few steps, because measuring after each character takes a time quadratic in their number.
  const characters = Array.from(text)
  const first = (count: number): string => characters.slice(0, count).join('')
  let [fits, tooLong] = [0, width]
  while (widthOf(first(tooLong)) < width) [fits, tooLong] = [tooLong, tooLong * 2]
  while (tooLong - fits > 1) {
    const middle = Math.floor((fits + tooLong) / 2)
    if (widthOf(first(middle)) < width) fits = middle
    else tooLong = middle
  }
  return `${first(fits)}…`
}
