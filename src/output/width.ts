const PRINTABLE_ASCII = /^[ -~]*$/
/**
 * Takes two columns: East Asian wide and full-width signs, and what is drawn as an emoji. As text until it is used, like
 * the next ones: V8 works out the sets of signs of a literal where it meets it, used or not.
 */
const WIDE = String.raw`^(?:[\u1100-\u115F\u2E80-\u303E\u3041-\uA4CF\uA960-\uA97F\uAC00-\uD7A3\uF900-\uFAFF\uFE30-\uFE6F\uFF01-\uFF60\uFFE0-\uFFE6\u{16FE0}-\u{18DFF}\u{1B000}-\u{1B2FF}\u{20000}-\u{3FFFD}]|\p{Emoji_Presentation}|\p{Regional_Indicator}|\p{Emoji}\uFE0F)`
/** Takes none of its own: marks and formats, and the vowels and ends of a Korean syllable that is written in parts. */
const NARROWEST = String.raw`^[\p{Mn}\p{Me}\p{Cf}\p{Cc}\u1160-\u11FF\uD7B0-\uD7FF]$`
/** Drawn as one, of however many signs it is made. */
const DRAWN_AS_ONE = String.raw`\p{Emoji_Presentation}|\p{Regional_Indicator}|\uFE0F|\u200D`

interface Shapes {
  readonly wide: RegExp
  readonly narrowest: RegExp
  readonly drawnAsOne: RegExp
}
let shapes: Shapes | undefined
const shapesOnce = (): Shapes =>
  (shapes ??= {
    wide: new RegExp(WIDE, 'u'),
    narrowest: new RegExp(NARROWEST, 'u'),
    drawnAsOne: new RegExp(DRAWN_AS_ONE, 'u'),
  })

let segmenter: Intl.Segmenter | undefined

/** The signs as a reader counts them: a letter with its accents is one, an emoji of several parts is one. */
function signsOf(text: string): readonly string[] {
  segmenter ??= new Intl.Segmenter('en', { granularity: 'grapheme' })
  return Array.from(segmenter.segment(text), ({ segment }) => segment)
}

/** Words that stand in line after line, such as a state with its mark: to count their signs takes 10 µs. */
const known = new Map<string, number>()
const MOST_KNOWN = 1_000

/** Whether each of its signs takes one column. */
export const isAscii = (text: string): boolean => PRINTABLE_ASCII.test(text)

/** How many columns of a terminal a text takes. Without escape sequences: paint comes after. */
export function widthOf(text: string): number {
  if (isAscii(text)) return text.length
  const width = known.get(text) ?? signsOf(text).reduce((sum, sign) => sum + widthOfSign(sign), 0)
  if (known.size < MOST_KNOWN) known.set(text, width)
  return width
}

function widthOfSign(sign: string): number {
  const { wide, drawnAsOne } = shapesOnce()
  if (drawnAsOne.test(sign)) return wide.test(sign) ? 2 : 1
  // As terminals do it: each sign by itself, so that a letter of many parts takes as many columns as these.
  return Array.from(sign).reduce((sum, part) => sum + widthOfPart(part), 0)
}

function widthOfPart(part: string): number {
  const { wide, narrowest } = shapesOnce()
  if (narrowest.test(part)) return 0
  return wide.test(part) ? 2 : 1
}

/** The spaces that bring a text to a width. */
export function padding(text: string, width: number): string {
  return ' '.repeat(Math.max(0, width - widthOf(text)))
}

/** The text, or as much of it as fits before a `…`. */
export function truncate(text: string, width: number): string {
  if (widthOf(text) <= width) return text
  let kept = ''
  let taken = 0
  for (const sign of signsOf(text)) {
    taken += widthOfSign(sign)
    if (taken > width - 1) break
    kept += sign
  }
  return width < 1 ? '' : `${kept}…`
}

/** Lines of whole words, none wider than asked where a word is not. What is painted is left alone: its paint has no width. */
export function wrap(text: string, width: number): readonly string[] {
  if (text.includes('\u001B') || widthOf(text) <= width) return [text]
  const lines: string[] = []
  let line = ''
  for (const word of text.split(' ')) {
    const longer = line === '' ? word : `${line} ${word}`
    if (line !== '' && widthOf(longer) > width) {
      lines.push(line)
      line = word
    } else line = longer
  }
  return [...lines, line]
}
