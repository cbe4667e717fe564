/** Texts that a shell would run, expand or split, and texts that look alike. */
export const HOSTILE_WORDS: readonly string[] = [
  'A-$(touch pwned)',
  'A-`touch pwned`',
  'A-!touch',
  '%PATH%',
  '%',
  '$HOME',
  '${IFS}x',
  'a & touch pwned',
  'a; touch pwned',
  'a | touch pwned',
  'a > pwned',
  '(touch pwned)',
  'it\'s "quoted"',
  "'",
  '"',
  '\\',
  'a\\',
  'a\\\\b',
  String.raw`C:\Users\Ada Lovelace\refunds.csv`,
  String.raw`\\server\share\a.csv`,
  'a\nb',
  'a\r\nb',
  'a\tb',
  '',
  ' a',
  '~',
  '~root',
  '*',
  '?',
  '[a]',
  '{a,b}',
  '#a',
  '=ls',
  '@a',
  '-a.b',
  'a,b',
  'a^b',
  '“a”',
  '„a“',
  '‘a’',
  'é$',
  'Ünï-😀',
  'a#b *c',
  '-x',
  '-$x',
  '--',
  '--yes',
  '--order=$(touch pwned)',
]

const SINGLE = "'\u2018\u2019\u201A\u201B"
const DOUBLE = '"\u201C\u201D\u201E'

/**
 * Reads a line of arguments as PowerShell does (about_Parsing, about_Quoting_Rules): words, single quotes that are doubled inside,
 * double quotes in which `$` and the backtick count. Throws where PowerShell would expand or run something.
 */
export function readPowerShell(line: string): readonly string[] {
  const words: string[] = []
  let at = 0
  while (at < line.length) {
    if (line[at] === ' ') {
      at += 1
      continue
    }
    let word = ''
    for (; at < line.length && line[at] !== ' ';) {
      const character = line[at] ?? ''
      const kind = SINGLE.includes(character) ? SINGLE : DOUBLE.includes(character) ? DOUBLE : undefined
      if (kind === undefined) {
        if (/[$`(){};&|<>,]/.test(character) || (word === '' && /[@#]/.test(character)))
          throw new Error(`PowerShell would read ${character} in ${line}`)
        word += character
        at += 1
        continue
      }
      for (at += 1; ; at += 1) {
        const inside = line[at]
        if (inside === undefined) throw new Error(`no closing quote in ${line}`)
        if (kind.includes(inside)) {
          if (!kind.includes(line[at + 1] ?? ' ')) break
          at += 1
        } else if (kind === DOUBLE && /[$`]/.test(inside)) throw new Error(`PowerShell would expand ${line}`)
        word += line[at] ?? ''
      }
      at += 1
    }
    words.push(word)
  }
  return words
}
