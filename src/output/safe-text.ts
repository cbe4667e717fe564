/**
 * Characters that control a terminal, change the direction of a line or are invisible: controls (which start escape
 * sequences), line and paragraph separators, formats (bidirectional overrides, zero width) and lone surrogates. The joiner
 * inside an emoji is kept. A string until first use: for a literal, V8 computes the character sets even
 * if it is never used, which takes 2 of the 60 ms of a call.
 */
const UNSAFE = String.raw`(?!(?<=[\p{Extended_Pictographic}\p{Emoji_Modifier}\uFE0F])\u200D\p{Extended_Pictographic})[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]+`
let unsafe: RegExp | undefined

const PRINTABLE_ASCII = /^[ -~]*$/
const PRINTABLE_LINES = /^[\n -~]*$/

/** Text of a server or user for one line of a terminal: it can't move the cursor, hide or reorder anything. */
export function safeText(text: string): string {
  // Nearly all text is plain; this is the fastest test.
  if (PRINTABLE_ASCII.test(text)) return text
  return escapeUnsafe(text.replaceAll(/[\t\n\r]+/g, ' '))
}

/** Like {@link safeText}, but keeps line breaks. */
export function safeLines(text: string): string {
  if (PRINTABLE_LINES.test(text)) return text
  return text.replaceAll(/\r\n?/g, '\n').split('\n').map(safeText).join('\n')
}

/** JSON text with unsafe characters escaped inside its strings: it parses to the same value. */
export function safeJson(json: string): string {
  return PRINTABLE_LINES.test(json) ? json : json.split('\n').map(escapeUnsafe).join('\n')
}

/** Whether {@link safeText} would change more than white space. */
export function hasUnsafeCharacters(text: string): boolean {
  return escapeUnsafe(text) !== text
}

function escapeUnsafe(text: string): string {
  if (PRINTABLE_ASCII.test(text)) return text
  unsafe ??= new RegExp(UNSAFE, 'gu')
  return text.replaceAll(unsafe, toEscapes)
}

/** Each UTF-16 unit as JSON and JavaScript write it: `\u001b`. */
function toEscapes(characters: string): string {
  let escapes = ''
  for (let at = 0; at < characters.length; at += 1)
    escapes += `\\u${characters.charCodeAt(at).toString(16).padStart(4, '0')}`
  return escapes
}

/** Right-to-left characters: Hebrew, Arabic, Syriac, Thaana, N'Ko, Adlam and similar. A string until first use, as above. */
const RIGHT_TO_LEFT = String.raw`[\u0590-\u08FF\uFB1D-\uFDFF\uFE70-\uFEFC\u{10800}-\u{10FFF}\u{1E800}-\u{1EFFF}]`
let rightToLeft: RegExp | undefined

const [FIRST_STRONG_ISOLATE, POP_ISOLATE] = ['\u2068', '\u2069']

/**
 * Isolates right-to-left text, so that a bidirectional terminal does not swap neighbouring columns. For safe text: explicit
 * direction controls are already escaped.
 */
export function isolateDirection(text: string): string {
  if (PRINTABLE_ASCII.test(text)) return text
  rightToLeft ??= new RegExp(RIGHT_TO_LEFT, 'u')
  return rightToLeft.test(text) ? `${FIRST_STRONG_ISOLATE}${text}${POP_ISOLATE}` : text
}
