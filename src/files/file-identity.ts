import { statSync } from 'node:fs'

/** Which file is at a path; undefined if it is missing or can't be reached. */
export function identityOf(path: string): string | undefined {
  try {
    const { dev, ino } = statSync(path)
    return `${dev}:${ino}`
  } catch {
    return undefined
  }
}
