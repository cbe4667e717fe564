const PRINTABLE_ASCII = /^[ -~]*$/
/**
 * Signs that are written from the right: Hebrew, Arabic, Syriac, Thaana, N'Ko, Adlam and their like. As text until it is
 * used, as in width.ts.
 */
const FROM_THE_RIGHT = String.raw`[\u0590-\u08FF\uFB1D-\uFDFF\uFE70-\uFEFC\u{10800}-\u{10FFF}\u{1E800}-\u{1EFFF}]`
let fromTheRight: RegExp | undefined

const [FIRST_STRONG_ISOLATE, POP_ISOLATE] = ['\u2068', '\u2069']

/**
 * A text that cannot turn what stands beside it around: a terminal that writes from the right where the signs want it
 * would else swap neighbouring columns. What turns directions on purpose never gets here: `safeText` takes it out.
 */
export function isolated(text: string): string {
  if (PRINTABLE_ASCII.test(text)) return text
  fromTheRight ??= new RegExp(FROM_THE_RIGHT, 'u')
  return fromTheRight.test(text) ? `${FIRST_STRONG_ISOLATE}${text}${POP_ISOLATE}` : text
}
