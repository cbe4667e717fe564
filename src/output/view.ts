import type { Paint } from './paint.ts'

export interface RenderOptions {
  readonly paint: Paint
  /** Terminal width; undefined in a pipe, where nothing is truncated or left out. */
  readonly width: number | undefined
  /** IANA name; undefined is UTC. */
  readonly timeZone: string | undefined
}

/** How one kind of result is shown. Pure: equal results and options give equal text. */
export interface View<Result> {
  /** The id of the resource, or of each entry of a list. */
  readonly ids: (result: Result) => readonly string[]
  /** The key of a list's entries, for ndjson and csv. */
  readonly itemsKey?: 'data' | 'groups'
  /** CSV columns: exactly these for a list; these first, then all other fields, for a single result. */
  readonly csvColumns?: readonly string[]
  /** Text for people: details, a table, or a sentence for an empty list. No trailing line break. */
  readonly render: (result: Result, options: RenderOptions) => string
}
