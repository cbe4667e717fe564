/** Blanks that no one sees inside an ID: no-break spaces, and those without a width. */
const NO_BREAK = /[\u00A0\u2007\u200B\u202F\u2060\uFEFF]/u
const QUOTES = /^["'`\u2018-\u201F\u00AB\u00BB\u2039\u203A].*["'`\u2018-\u201F\u00AB\u00BB\u2039\u203A]$/su

/**
 * Why a text is no ID, as the end of a sentence; undefined if it may be one. Two texts that look the same would be two targets, and
 * two keys for one ticket.
 */
export function idFault(text: string): string | undefined {
  const control = /\p{Cc}/u.exec(text)?.[0]
  if (control !== undefined) return `contains a control character (${codePointOf(control)})`
  const noBreak = NO_BREAK.exec(text)?.[0]
  if (noBreak !== undefined) return `contains a no-break or invisible space (${codePointOf(noBreak)})`
  const [first, last] = [/^\s/u.exec(text)?.[0], /\s$/u.exec(text)?.[0]]
  if (first !== undefined) return `begins with a blank (${codePointOf(first)})`
  if (last !== undefined) return `ends with a blank (${codePointOf(last)})`
  if (QUOTES.test(text)) return `has quotes around it (${text.charAt(0)})`
  return undefined
}

const codePointOf = (character: string): string =>
  `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`
