import { truncate } from '../truncate.ts'

/** A value, or what is wrong with what was given: a clause to stand behind its name. */
export type ParseResult<T> = { readonly value: T } | { readonly problem: string }

/** What was typed, for an error. */
export const quote = (text: string): string => JSON.stringify(truncate(text, 60))
