import type { Paint } from './paint.ts'

export interface RenderOptions {
  readonly paint: Paint
  /** Columns of the terminal; undefined in a pipe, where nothing is cut or left out. */
  readonly width: number | undefined
  /** IANA name; undefined is UTC. */
  readonly timeZone: string | undefined
}

/** How one kind of result is shown. Pure: the same result and options give the same text. */
export interface View<Result> {
  /** The resource's own id, or one for each entry of a list. */
  readonly ids: (result: Result) => readonly string[]
  /** The key under which a list keeps its entries, for ndjson and csv. */
  readonly itemsKey?: 'data'
  /** The csv columns: of a list these alone; of a single result these first, then whatever else it holds. */
  readonly csvColumns?: readonly string[]
  /** Lines for people: the details of one, a table of many, a sentence when there are none. Without a line break at the end. */
  readonly render: (result: Result, options: RenderOptions) => string
}
