/** A text that is not the JSON we take, with the place in words: `… at line 2, column 5`. */
export class JsonError extends Error {
  /** Offset into the text, from 0. */
  readonly position: number
  /** From 1. */
  readonly line: number
  /** From 1. */
  readonly column: number

  constructor(what: string, text: string, position: number, options?: ErrorOptions) {
    const before = text.slice(0, position)
    const line = before.split('\n').length
    const column = position - (before.lastIndexOf('\n') + 1) + 1
    super(`${what} at line ${line}, column ${column}`, options)
    this.name = 'JsonError'
    this.position = position
    this.line = line
    this.column = column
  }
}
