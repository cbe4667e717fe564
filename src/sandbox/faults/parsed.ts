import { shortened } from '../shortened.ts'

/** A value, or what is wrong with what was given: a clause to stand behind its name. */
export type Parsed<T> = { readonly value: T } | { readonly problem: string }

/** What was typed, for an error. */
export const shown = (text: string): string => JSON.stringify(shortened(text, 60))
