import stringWidth from 'string-width'

const PRINTABLE_ASCII = /^[ -~]*$/
/**
 * Where string-width 4 errs: an emoji takes two columns, also one of Unicode 13 or later, and marks and formats take none.
 * As text until it is used: V8 works out the sets of characters of a literal where it meets it, used or not.
 */
const EMOJI = String.raw`(?:(?!\p{Regional_Indicator})\p{Emoji_Presentation}|\p{Emoji}\uFE0F\u20E3?)\p{Emoji_Modifier}?(?:\u200D\p{Emoji}\uFE0F?\p{Emoji_Modifier}?)*`
const NO_COLUMN = String.raw`[\p{Mn}\p{Me}\p{Cf}]`
let shapes: { readonly emoji: RegExp; readonly noColumn: RegExp } | undefined

/** How many columns of a terminal a text takes. Colours take none. */
export function widthOf(text: string): number {
  if (PRINTABLE_ASCII.test(text)) return text.length
  shapes ??= { emoji: new RegExp(EMOJI, 'gu'), noColumn: new RegExp(NO_COLUMN, 'gu') }
  // Composed: the parts of a Korean syllable, or a kana and its mark, are drawn as one.
  return stringWidth(text.normalize().replaceAll(shapes.emoji, '  ').replaceAll(shapes.noColumn, ''))
}

/** Not Math.max: a call takes no more than a few hundred thousand arguments. */
export const widestOf = (texts: readonly string[]): number =>
  texts.reduce((most, text) => Math.max(most, widthOf(text)), 0)

/** Whether string-width, by which cli-table3 lays out its cells, counts the columns as {@link widthOf} does. */
export const isMeasuredCorrectly = (text: string): boolean =>
  PRINTABLE_ASCII.test(text) || stringWidth(text) === widthOf(text)

/** The text, or as much of it as fits before a `…`. What takes no column of its own stays with its letter or emoji. */
export function truncate(text: string, width: number): string {
  if (widthOf(text) <= width) return text
  let kept = ''
  for (const character of text) {
    if (widthOf(kept + character) >= width) break
    kept += character
  }
  return width < 1 ? '' : `${kept}…`
}
