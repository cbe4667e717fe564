/**
 * Signs that steer a terminal, turn the direction of a line, or cannot be seen: controls (escape sequences begin with
 * one), line and paragraph separators, formats (bidirectional overrides, zero width), lone surrogates. The joiner inside
 * an emoji is matched first and kept. As text until it is used: V8 works out the sets of signs of a literal where it
 * meets it, used or not, which takes 2 of the 60 ms of a call.
 */
const UNSAFE = String.raw`(?<=[\p{Extended_Pictographic}\p{Emoji_Modifier}\uFE0F])\u200D(?=\p{Extended_Pictographic})|(?<unsafe>[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}])`
let unsafe: RegExp | undefined

const PRINTABLE_ASCII = /^[ -~]*$/
const PRINTABLE_LINES = /^[\n -~]*$/

/** Text of a server or a user for one line of a terminal: nothing in it can move the cursor, hide or reorder. */
export function safeText(text: string): string {
  // Nearly all text is plain, and this is the quickest test.
  if (PRINTABLE_ASCII.test(text)) return text
  return escapeUnsafe(text.replaceAll(/[\t\n\r]+/g, ' '))
}

/** The same with its line breaks kept. */
export function safeLines(text: string): string {
  if (PRINTABLE_LINES.test(text)) return text
  return text.replaceAll(/\r\n?/g, '\n').split('\n').map(safeText).join('\n')
}

/** JSON text with the same signs written as escapes inside its strings: for a parser it means what it meant before. */
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
  return text.replaceAll(unsafe, (sign: string, found: string | undefined) =>
    found === undefined ? sign : toEscapes(sign),
  )
}

/** Each UTF-16 unit as JSON and JavaScript write it: `\u001b`. */
function toEscapes(sign: string): string {
  return Array.from({ length: sign.length }, (_, at) => sign.charCodeAt(at))
    .map((unit) => `\\u${unit.toString(16).padStart(4, '0')}`)
    .join('')
}

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
export function isolateDirection(text: string): string {
  if (PRINTABLE_ASCII.test(text)) return text
  fromTheRight ??= new RegExp(FROM_THE_RIGHT, 'u')
  return fromTheRight.test(text) ? `${FIRST_STRONG_ISOLATE}${text}${POP_ISOLATE}` : text
}
