import type { Paint } from './paint.ts'

export interface RenderOptions {
  readonly paint: Paint
  /** Terminal width; undefined in a pipe, where nothing is truncated or left out. */
  readonly width: number | undefined
  /** IANA name; undefined is UTC. */
  readonly timeZone: string | undefined
}

/** How to show one kind of result. Pure: the same result and options give the same text. */
export interface View<Result> {
  /** The ID of the resource, or of each entry of a list. */
  readonly ids: (result: Result) => readonly string[]
  /** The key of a list's entries, for ndjson and csv. */
  readonly itemsKey?: 'data' | 'groups' | 'differences' | 'rows'
  /** CSV columns: exactly these for a list; these first, then all other fields, for a single result. */
  readonly csvColumns?: readonly string[]
  /** Text for people: details, a table, or a sentence for an empty list. No trailing line break. */
  readonly render: (result: Result, options: RenderOptions) => string
}
