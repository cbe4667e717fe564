import { sep } from 'node:path'
import { posixWord, windowsWord } from '../text/shell-word.ts'

/** Quotes a word, if needed, for the shells of this machine. Pasting it never runs a part of it. */
export const shellWord: (text: string) => string = sep === '\\' ? windowsWord : posixWord
