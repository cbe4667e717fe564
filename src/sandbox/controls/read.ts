import type { Store } from '../domain/store/store.ts'

/** Reads in a separate transaction. Long work reads in slices, so that requests are answered in between. */
export type Read = <T>(work: (store: Store, now: Date) => T) => Promise<T>

/** Reads everything in slices. `slice` returns one, and where the next one starts; undefined after the last. */
export async function readAll<Entry, Place>(
  read: Read,
  slice: (
    store: Store,
    after: Place | undefined,
  ) => { readonly entries: readonly Entry[]; readonly next: Place | undefined },
): Promise<readonly Entry[]> {
  const all: Entry[] = []
  let after: Place | undefined
  do {
    const start = after
    const { entries, next } = await read((store) => slice(store, start))
    for (const entry of entries) all.push(entry)
    after = next
  } while (after !== undefined)
  return all
}
