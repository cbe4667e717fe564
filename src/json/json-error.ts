/** A text that is not the JSON we take, with the place in words: `… at line 2, column 5`. */
export class JsonError extends Error {
  /** What is wrong, without the place. */
  readonly reason: string
  /** Offset into the text, from 0. */
  readonly position: number
  /** From 1. */
  readonly line: number
  /** From 1. */
  readonly column: number

  constructor(reason: string, text: string, position: number, options?: ErrorOptions) {
    const { line, column } = placeOf(text, position)
    super(`${reason} at line ${line}, column ${column}`, options)
    this.name = 'JsonError'
    this.reason = reason
    this.position = position
    this.line = line
    this.column = column
  }
}

/** Counted without cutting the text up: it can have a million lines. */
function placeOf(text: string, position: number): { readonly line: number; readonly column: number } {
  let line = 1
  let start = 0
  for (let at = text.indexOf('\n'); at !== -1 && at < position; at = text.indexOf('\n', start)) {
    line += 1
    start = at + 1
  }
  return { line, column: position - start + 1 }
}
