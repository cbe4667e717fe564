/** Signs that are written from the right: Hebrew, Arabic, Syriac, Thaana, N'Ko, Adlam and their like. */
const FROM_THE_RIGHT = /[\u0590-\u08FF\uFB1D-\uFDFF\uFE70-\uFEFC\u{10800}-\u{10FFF}\u{1E800}-\u{1EFFF}]/u

const [FIRST_STRONG_ISOLATE, POP_ISOLATE] = ['\u2068', '\u2069']

/**
 * A text that cannot turn what stands beside it around: a terminal that writes from the right where the signs want it
 * would else swap neighbouring columns. What turns directions on purpose never gets here: `safeText` takes it out.
 */
export const isolated = (text: string): string =>
  FROM_THE_RIGHT.test(text) ? `${FIRST_STRONG_ISOLATE}${text}${POP_ISOLATE}` : text
