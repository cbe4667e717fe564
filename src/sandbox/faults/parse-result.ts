import { truncate } from '../truncate.ts'

/** A value, or a problem: a clause that follows the name of what was read. */
export type ParseResult<T> = { readonly value: T } | { readonly problem: string }

/** Quotes input in an error. */
export const quote = (text: string): string => JSON.stringify(truncate(text, 60))
