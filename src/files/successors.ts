import { existsSync } from 'node:fs'

/** A database that can't be used keeps its name, and a new one takes its place: after `a.db` comes `a-2.db`. */
export const successorOf = (path: string, number: number): string =>
  number === 1 ? path : path.replace(/\.db$/, `-${number}.db`)

/** The number of the one in use: the last one. */
export function lastNumber(path: string): number {
  let number = 1
  while (existsSync(successorOf(path, number + 1))) number += 1
  return number
}
