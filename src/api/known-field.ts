import { inspectField } from './unknown-fields.ts'
import type { Schema } from './schema.ts'

/**
 * Whether an answer holds at least one field that its schema knows, with a value that the field can have. That is little,
 * since answers may be partial; yet no page of a proxy, nor another service's error, has one.
 */
export function holdsKnownField(schema: Schema, answer: Readonly<Record<string, unknown>>): boolean {
  return Object.entries(answer).some(([name, value]) => inspectField(schema(), name, value))
}
