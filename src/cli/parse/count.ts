import { UsageError } from '../../errors.ts'

/** Parses a whole number written in digits only. */
export function parseCount(text: string, what: string): number {
  const value = Number(text)
  if (!/^\d{1,16}$/.test(text) || !Number.isSafeInteger(value)) {
    throw new UsageError(`${what} takes a whole number in digits, such as 5, not "${text}"`, {
      code: 'bad_value',
    })
  }
  return value
}
