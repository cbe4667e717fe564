import { UsageError } from '../../errors.ts'
import { splitOnce } from './globals.ts'

/** The part of a malformed assignment before the first `:` or `=`. The rest may be a secret. */
export const assignedName = (text: string): string => text.replace(/[:=].*$/s, '')

/** Parses `KEY=VALUE` pairs. */
export function parsePairs(texts: readonly string[], what: string): Readonly<Record<string, string>> {
  const pairs: [string, string][] = []
  for (const text of texts) {
    const [key, value] = splitOnce(text, '=')
    if (value === undefined || key === '') {
      const problem =
        key === '' ? 'gives a value without a key' : `takes KEY=VALUE, not "${assignedName(text)}"`
      throw new UsageError(`${what} ${problem}`, { code: 'bad_value' })
    }
    if (key === '__proto__') throw new UsageError(`${what}: "${key}" cannot be a key`, { code: 'bad_value' })
    if (pairs.some(([existingKey]) => existingKey === key))
      throw new UsageError(`${what} gives "${key}" twice`, { code: 'given_twice' })
    pairs.push([key, value])
  }
  return Object.fromEntries(pairs)
}
