/** How words are taken from a line of a shell, and put back into it. */

/** The words of a bash line up to the cursor, as bash would read them, without running anything. */
export interface ShellLine {
  readonly before: readonly string[]
  readonly current: string
  /** How much of `current` stands before what bash takes for the word at the cursor. */
  readonly kept: number
  readonly quote: '"' | "'" | undefined
}

export function readBashLine(line: string, wordBreaks: string): ShellLine {
  const words: string[] = []
  let current = ''
  let isWord = false
  let kept = 0
  let quote: ShellLine['quote']
  for (let at = 0; at < line.length; at += 1) {
    const sign = line[at] ?? ''
    if (quote !== undefined) {
      if (sign === quote) {
        quote = undefined
        // Behind a quote that is closed bash goes on with the same word.
        continue
      }
      if (quote === '"' && sign === '\\' && '"\\$`'.includes(line[at + 1] ?? ' ')) at += 1
      current += line[at] ?? ''
      continue
    }
    if (sign === '"' || sign === "'") {
      quote = sign
      isWord = true
      kept = current.length
    } else if (/\s/.test(sign)) {
      if (isWord) words.push(current)
      current = ''
      isWord = false
      kept = 0
    } else {
      isWord = true
      if (sign === '\\' && at + 1 < line.length) {
        at += 1
        current += line[at] ?? ''
      } else {
        current += sign
        // Readline leaves an @ in the word that it begins.
        if (wordBreaks.includes(sign)) kept = sign === '@' ? current.length - 1 : current.length
      }
    }
  }
  // Assignments may stand before the command, which is the first word otherwise.
  const command = words.findIndex((word) => !/^[A-Za-z_]\w*=/.test(word))
  return { before: words.slice(command === -1 ? words.length : command + 1), current, kept, quote }
}

/** A candidate as it has to stand in a bash line: nothing of it is run, whatever it holds. */
export function quoteForBash(text: string, quote: ShellLine['quote']): string | undefined {
  if (quote === "'") return text.includes("'") ? undefined : text
  // Within double quotes no form of `!` is safe from the history.
  if (quote === '"') return text.includes('!') ? undefined : text.replaceAll(/["\\$`]/g, String.raw`\$&`)
  return text.replaceAll(/[^\w@%+=:,./\-\u0080-\uffff]/g, String.raw`\$&`)
}

/** The same for PowerShell. */
export const quoteForPowerShell = (text: string): string =>
  /^[\w.:=%+/-]+$/.test(text) ? text : `'${text.replaceAll(/['\u2018-\u201B]/g, '$&$&')}'`

/** A word of fish or zsh as it stands in the line, without its quotes. */
export const unquoted = (text: string): string => readBashLine(`pay ${text}`, '').current
