import type { Schema } from './schema.ts'

/** Parses a response; undefined if it doesn't match the schema. */
export function parseResponse<T>(schema: Schema<T>, answer: unknown): T | undefined {
  try {
    return schema().safeParse(answer).data
  } catch (error) {
    // The parser overflows the stack on a list with more than some 100,000 invalid entries.
    if (error instanceof RangeError) return undefined
    throw error
  }
}
