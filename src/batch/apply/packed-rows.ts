const CHUNK_ROWS = 500

/**
 * Keeps rows of JSON values as bytes, outside the JavaScript heap: the 100,000 rows of a large plan would take 30 MB of it as objects,
 * and the heap grows to several times what it holds. Can be iterated repeatedly; each time, the rows are other objects.
 */
export function packRows<Row>(rows: Iterable<Row>): Iterable<Row> {
  const chunks: Buffer[] = []
  let held: Row[] = []
  const pack = () => {
    chunks.push(Buffer.from(JSON.stringify(held)))
    held = []
  }
  for (const row of rows) {
    held.push(row)
    if (held.length === CHUNK_ROWS) pack()
  }
  pack()
  return {
    *[Symbol.iterator]() {
      for (const chunk of chunks) {
        const unpacked: Row[] = JSON.parse(chunk.toString())
        yield* unpacked
      }
    },
  }
}
