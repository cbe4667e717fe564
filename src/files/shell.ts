import { sep } from 'node:path'
import { posixWord, windowsWord } from '../text/shell-word.ts'

const isWindows = sep === '\\'

/** Quotes a word, if needed, for the shells of this machine. Pasting it never runs a part of it. */
export const shellWord: (text: string) => string = isWindows ? windowsWord : posixWord

/** The command that gives the owner access to a path; undefined on Windows, where files have no modes. */
export const accessCommand = (path: string, mode: string): string | undefined =>
  isWindows ? undefined : `chmod ${mode} ${shellWord(path)}`
