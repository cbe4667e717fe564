/** Numbers from 0 up to 1 that depend on the keys alone: sfc32, whose streams don't overlap as those of a 32-bit state do. */
export function randomOf(...keys: readonly number[]): () => number {
  let [a = 0, b = 0, c = 0] = keys
  let counter = 1
  const next = () => {
    const sum = (a + b + counter) | 0
    counter = (counter + 1) | 0
    a = b ^ (b >>> 9)
    b = (c + (c << 3)) | 0
    c = (((c << 21) | (c >>> 11)) + sum) | 0
    return (sum >>> 0) / 2 ** 32
  }
  // The first numbers still show the keys.
  for (let round = 0; round < 15; round += 1) next()
  return next
}

export const between = (random: () => number, low: number, high: number): number =>
  low + random() * (high - low)

export const wholeBetween = (random: () => number, low: number, high: number): number =>
  Math.floor(between(random, low, high + 1))

export function oneOf<const T>(random: () => number, rows: readonly [T, ...(readonly T[])]): T {
  return rows[Math.floor(random() * rows.length)] ?? rows[0]
}

/** Rows, each with how often it comes up. */
type Weighted<T> = readonly (readonly [weight: number, row: T])[]

/** Deals the rows from a shuffled deck, so that even a small shop has each of them; the deck's number is `index / size`. */
export function dealt<T>(rows: Weighted<T>, index: number, keys: readonly [number, number]): T {
  const deck = rows.flatMap(([weight, row]) => Array.from({ length: weight }, () => row))
  const random = randomOf(...keys, Math.floor(index / deck.length))
  for (let last = deck.length - 1; last > 0; last -= 1) {
    const other = Math.floor(random() * (last + 1))
    deck.push(...deck.splice(other, 1))
  }
  const row = deck[index % deck.length]
  if (row === undefined) throw new Error('An empty deck has nothing to deal')
  return row
}
