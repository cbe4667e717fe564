/** A value, or what is wrong with what was given: a clause to stand behind its name. */
export type Parsed<T> = { readonly value: T } | { readonly problem: string }

const LONGEST_SHOWN = 60

/** What was typed, for an error. */
export const shown = (text: string): string =>
  JSON.stringify(text.length > LONGEST_SHOWN ? `${text.slice(0, LONGEST_SHOWN)}…` : text)
