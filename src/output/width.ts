import stringWidth from 'string-width'

const PRINTABLE_ASCII = /^[ -~]*$/
/**
 * Corrections to string-width 4: emoji of Unicode 13 and later take two columns too; combining marks and format characters
 * take none. Strings until first use: for a literal, V8 computes the character sets even if it is never used.
 */
const EMOJI = String.raw`(?:(?!\p{Regional_Indicator})\p{Emoji_Presentation}|\p{Emoji}\uFE0F\u20E3?)\p{Emoji_Modifier}?(?:\u200D\p{Emoji}\uFE0F?\p{Emoji_Modifier}?)*`
const NO_COLUMN = String.raw`[\p{Mn}\p{Me}\p{Cf}]`
let shapes: { readonly emoji: RegExp; readonly noColumn: RegExp } | undefined

/** Terminal columns of a text. Colour codes take none. */
export function widthOf(text: string): number {
  if (PRINTABLE_ASCII.test(text)) return text.length
  shapes ??= { emoji: new RegExp(EMOJI, 'gu'), noColumn: new RegExp(NO_COLUMN, 'gu') }
  // Normalized: a Korean syllable, or a kana with its mark, is drawn as one character.
  return stringWidth(text.normalize().replaceAll(shapes.emoji, '  ').replaceAll(shapes.noColumn, ''))
}

/** Not `Math.max`, which fails above some 100,000 arguments. */
export const widestOf = (texts: readonly string[]): number =>
  texts.reduce((most, text) => Math.max(most, widthOf(text)), 0)

/** Whether string-width, which cli-table3 uses, agrees with {@link widthOf}. */
export const isMeasuredCorrectly = (text: string): boolean =>
  PRINTABLE_ASCII.test(text) || stringWidth(text) === widthOf(text)

/** The text, or as much as fits before a `…`. Combining marks stay with their character. */
export function truncate(text: string, width: number): string {
  if (widthOf(text) <= width) return text
  let fitting = ''
  for (const character of text) {
    if (widthOf(fitting + character) >= width) break
    fitting += character
  }
  return width < 1 ? '' : `${fitting}…`
}
