/** The rows of a job, a part at a time: an asynchronous step for each of a million rows would cost more than reading it. */
export type Parts<Row> = AsyncIterable<Iterable<Row>> | Iterable<Iterable<Row>>

/** How fast rows are taken. */
export interface Pace {
  /** How many rows may be under way. */
  readonly window: number
  /** Resolves when another row may be taken; undefined if it may be taken now. */
  readonly whenReady: () => Promise<void> | undefined
}

export interface RowLoop<Row> {
  readonly rows: Parts<Row>
  readonly keyOf: (row: Row) => string
  /** The work for one row, which must not reject. */
  readonly work: (row: Row) => Promise<void>
  readonly pace: Pace
  /** Once aborted, no row is begun. */
  readonly stop: Pick<AbortSignal, 'aborted'>
}

/**
 * Works on rows in parallel, except that rows with the same key are worked on in their order. Ends when no row is under way.
 * @throws what reading the rows throws
 */
export async function doRows<Row>({ rows, keyOf, work, pace, stop }: RowLoop<Row>): Promise<void> {
  /** The last work for each key that has any under way. */
  const tails = new Map<string, Promise<void>>()
  // A count: a set of what is under way would keep what it has lost until a full garbage collection (see InFlightRequests).
  const under = { way: 0 }
  let onEnd: (() => void) | undefined
  const whenOneEnds = () =>
    new Promise<void>((resolve) => {
      onEnd = resolve
    })
  const begin = (row: Row): void => {
    const key = keyOf(row)
    const before = tails.get(key)
    const tail = before === undefined ? work(row) : before.then(() => work(row))
    under.way += 1
    tails.set(key, tail)
    void tail.then(() => end(key, tail))
  }
  const end = (key: string, tail: Promise<void>): void => {
    if (tails.get(key) === tail) tails.delete(key)
    under.way -= 1
    onEnd?.()
  }
  try {
    for await (const part of rows)
      for (const row of part) {
        if (stop.aborted) return
        begin(row)
        while (under.way >= pace.window && !stop.aborted) await whenOneEnds()
        for (let ready = pace.whenReady(); ready !== undefined && !stop.aborted; ready = pace.whenReady())
          await ready
      }
  } finally {
    while (under.way > 0) await whenOneEnds()
  }
}

/**
 * Yields each row with its reading, in the order of the rows. Up to `window` rows are read ahead, so that one slow reading rarely
 * holds up others.
 */
export async function* inOrder<Row, Reading>(
  rows: Parts<Row>,
  read: (row: Row) => Promise<Reading>,
  window: number,
): AsyncGenerator<readonly [row: Row, reading: Reading]> {
  const ahead: { readonly row: Row; readonly reading: Promise<Reading> }[] = []
  for await (const part of rows)
    for (const row of part) {
      const reading = read(row)
      // A failure is thrown when it is the row's turn; until then nothing awaits it.
      reading.catch(() => {})
      ahead.push({ row, reading })
      const first = ahead.length > window ? ahead.shift() : undefined
      if (first !== undefined) yield [first.row, await first.reading]
    }
  for (const { row, reading } of ahead) yield [row, await reading]
}
