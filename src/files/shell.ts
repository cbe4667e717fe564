import { sep } from 'node:path'
import { posixWord, windowsWord } from '../text/shell-word.ts'

const IS_WINDOWS = sep === '\\'

/** Quotes a word, if needed, for the shells of this machine. Pasting it never runs a part of it. */
export const shellWord: (text: string) => string = IS_WINDOWS ? windowsWord : posixWord

/** The last arguments of a command; `--` keeps them from being flags. npm's pay.ps1 loses a `--` without quotes. */
export const lastWords = (...texts: readonly string[]): string =>
  [
    ...(texts.some((text) => text.startsWith('-')) ? [IS_WINDOWS ? '"--"' : '--'] : []),
    ...texts.map(shellWord),
  ].join(' ')

/** A flag with its value, in one word if the value looks like a flag. */
export const flagWord = (flag: string, value: string): string =>
  value.startsWith('-') ? shellWord(`--${flag}=${value}`) : `--${flag} ${shellWord(value)}`

/** A file as an argument. */
export const fileWord = (path: string): string => shellWord(path.startsWith('-') ? `./${path}` : path)

/** The command that gives the owner access to a path; undefined on Windows, where files have no modes. */
export const accessCommand = (path: string, mode: string): string | undefined =>
  IS_WINDOWS ? undefined : `chmod ${mode} ${shellWord(path)}`
