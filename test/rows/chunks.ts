import * as fc from 'fast-check'

/** Streams bytes in chunks that end at the cuts. */
export async function* inChunks(bytes: Buffer, cuts: readonly number[]): AsyncGenerator<Uint8Array> {
  let from = 0
  for (const cut of [...cuts].toSorted((a, b) => a - b)) {
    const to = Math.min(bytes.length, cut)
    if (to <= from) continue
    yield bytes.subarray(from, to)
    from = to
  }
  if (from < bytes.length) yield bytes.subarray(from)
}

export const someCuts = fc.array(fc.nat(400), { maxLength: 30 })

/** Everything that a stream yields, and its error. */
export async function collect<T>(
  source: AsyncIterable<T>,
): Promise<{ readonly all: readonly T[]; readonly error: unknown }> {
  const all: T[] = []
  try {
    for await (const one of source) all.push(one)
  } catch (error) {
    return { all, error }
  }
  return { all, error: undefined }
}
