import { deflateRawSync, inflateRawSync } from 'node:zlib'

const CHUNK_ROWS = 500

/**
 * Keeps rows of JSON values as compressed bytes, outside the JavaScript heap: as objects, the 100,000 rows of a large plan
 * take 30 MB of it, and the heap grows to several times what it holds. Can be iterated repeatedly; each time, the rows are other objects.
 */
export function packRows<Row>(rows: Iterable<Row>): Iterable<Row> {
  const chunks: Buffer[] = []
  let held: Row[] = []
  const pack = () => {
    chunks.push(deflateRawSync(JSON.stringify(held), { level: 1 }))
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
        const unpacked: Row[] = JSON.parse(inflateRawSync(chunk).toString())
        yield* unpacked
      }
    },
  }
}
