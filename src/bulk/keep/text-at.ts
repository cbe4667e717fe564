import { readFileSync } from 'node:fs'
import { fallbackOn } from '../../system-code.ts'

/** The text of a file; empty if there is none. */
export const textAt = (path: string): string => fallbackOn('ENOENT', '', () => readFileSync(path, 'utf8'))
