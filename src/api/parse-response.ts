import type { Schema } from './schema.ts'

/** An answer as its schema reads it; undefined if it doesn't fit. */
export function parseResponse<T>(schema: Schema<T>, answer: unknown): T | undefined {
  try {
    return schema().safeParse(answer).data
  } catch (error) {
    // The parser overflows the stack where a list has more than some 100,000 entries that don't fit.
    if (error instanceof RangeError) return undefined
    throw error
  }
}
