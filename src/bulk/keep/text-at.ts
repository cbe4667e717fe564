import { readFileSync } from 'node:fs'
import { systemCode } from '../../system-code.ts'

/** The text of a file; empty if there is none. */
export function textAt(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return ''
    throw error
  }
}
