import { statSync } from 'node:fs'

/** Which file is at a path; undefined if it is missing or can't be reached. */
export function identityOf(path: string): string | undefined {
  try {
    // On Windows, these numbers are longer than a number of JavaScript.
    const { dev, ino } = statSync(path, { bigint: true })
    return `${dev}:${ino}`
  } catch {
    return undefined
  }
}
