/** The text if it is a short word that no shell would need quotes for: an ID of the service, for a suggested command. */
export const plainWord = (text: string | undefined): string | undefined =>
  text !== undefined && /^[\w.][\w.-]{0,63}$/.test(text) ? text : undefined

/** Stands in a command for a word that can't be pasted safely. */
export const WITHHELD = '…'

/** Says what to do about {@link WITHHELD} words. Empty if the commands have none. */
export const withheldNote = (commands: readonly string[]): string =>
  commands.some((command) => command.split(' ').includes(WITHHELD))
    ? `Type the value yourself in place of ${WITHHELD}: no quotes protect its characters in every shell.`
    : ''

/** Line breaks and other control characters: a command stands on one line. */
const CONTROL = /[\p{Cc}\u2028\u2029]/u
/** Words that no shell reads in another way. PowerShell splits `a,b`, and `-a.b` at the point, and takes `@a` for a variable; zsh expands `=a`. */
const PLAIN = /^(?!-.*[.:]|[=@])[\w+=:/.@-]+$/
const PLAIN_PATH = /^(?!-.*[.:]|[=@])[\w+=:/.@\\-]+$/
/** Characters that keep a meaning in double quotes: in POSIX shells, cmd.exe or PowerShell, which takes “ and „ for quotes. */
const ACTIVE = /[$`"\\!%\u201C-\u201F]/
/** The same on Windows, where a backslash counts at the end only. */
const ACTIVE_ON_WINDOWS = /[$`"!%\u201C-\u201F]|\\$/
/** Characters that mean something to cmd.exe outside double quotes, or that PowerShell doesn't hand on. */
const ACTIVE_IN_CMD = /[&|<>^%"()]/

/** Quotes a word for bash, zsh and fish, and where the text allows it for PowerShell and cmd.exe too. */
export function posixWord(text: string): string {
  if (CONTROL.test(text)) return WITHHELD
  if (PLAIN.test(text)) return text
  // fish reads a backslash in single quotes.
  return ACTIVE.test(text) ? `'${text.replaceAll(/['\\]/g, (character) => `'\\${character}'`)}'` : `"${text}"`
}

/** Quotes a word for PowerShell and cmd.exe; if that needs single quotes, cmd.exe takes them for a part of the word. */
export function windowsWord(text: string): string {
  if (CONTROL.test(text)) return WITHHELD
  if (PLAIN_PATH.test(text)) return text
  if (!ACTIVE_ON_WINDOWS.test(text)) return `"${text}"`
  return ACTIVE_IN_CMD.test(text)
    ? WITHHELD
    : `'${text.replaceAll(/['\u2018-\u201B]/g, (quote) => quote + quote)}'`
}
