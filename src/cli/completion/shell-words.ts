/** Splits shell lines into words, and quotes candidates for them. */

/** The words of a bash line up to the cursor, unquoted but not expanded. */
interface ShellLine {
  readonly before: readonly string[]
  readonly current: string
  /** How many characters of `current` come before the word that bash replaces. */
  readonly prefixLength: number
  readonly quote: '"' | "'" | undefined
}

export function readBashLine(line: string, wordBreaks: string): ShellLine {
  const words: string[] = []
  let current = ''
  let isWord = false
  let prefixLength = 0
  let quote: ShellLine['quote']
  for (let at = 0; at < line.length; at += 1) {
    const character = line[at] ?? ''
    if (quote !== undefined) {
      if (character === quote) {
        quote = undefined
        // After a closing quote, bash continues the same word.
        continue
      }
      if (quote === '"' && character === '\\' && '"\\$`'.includes(line[at + 1] ?? ' ')) at += 1
      current += line[at] ?? ''
      continue
    }
    if (character === '"' || character === "'") {
      quote = character
      isWord = true
      prefixLength = current.length
    } else if (/\s/.test(character)) {
      if (isWord) words.push(current)
      current = ''
      isWord = false
      prefixLength = 0
    } else {
      isWord = true
      if (character === '\\' && at + 1 < line.length) {
        at += 1
        current += line[at] ?? ''
      } else {
        current += character
        // Readline keeps an @ in the word that it starts.
        if (wordBreaks.includes(character))
          prefixLength = character === '@' ? current.length - 1 : current.length
      }
    }
  }
  // Assignments may precede the command, which is otherwise the first word.
  const command = words.findIndex((word) => !/^[A-Za-z_]\w*=/.test(word))
  return { before: words.slice(command === -1 ? words.length : command + 1), current, prefixLength, quote }
}

/** Quotes a candidate so that bash expands and runs nothing in it; undefined if that is impossible. */
export function quoteForBash(text: string, quote: ShellLine['quote']): string | undefined {
  if (quote === "'") return text.includes("'") ? undefined : text
  // Inside double quotes, history expansion of `!` cannot be prevented.
  if (quote === '"') return text.includes('!') ? undefined : text.replaceAll(/["\\$`]/g, String.raw`\$&`)
  return text.replaceAll(/[^\w@%+=:,./\-\u0080-\uffff]/g, String.raw`\$&`)
}

/** Quotes a candidate for PowerShell. */
export const quoteForPowerShell = (text: string): string =>
  /^[\w.:=%+/-]+$/.test(text) ? text : `'${text.replaceAll(/['\u2018-\u201B]/g, '$&$&')}'`

/** Removes the quotes from a word of fish or zsh. */
export const unquoted = (text: string): string => readBashLine(`pay ${text}`, '').current
