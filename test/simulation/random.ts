/** Random numbers from a seed: the same sequence in every run and on every machine. */
export interface Random {
  /** At least 0, below 1. */
  readonly next: () => number
  /** True with this probability. A probability of 0 draws no number. */
  readonly chance: (probability: number) => boolean
  /** An integer of at least 0, below the limit. */
  readonly below: (limit: number) => number
  readonly pick: <T>(values: readonly [T, ...T[]]) => T
  /** Picks a value in proportion to its weight. */
  readonly weighted: <T>(choices: readonly (readonly [weight: number, value: T])[]) => T
}

export function createRandom(seed: number): Random {
  let state = Math.imul(seed ^ 0x9e3779b9, 0x85ebca6b) | 0
  /** mulberry32 */
  const next = (): number => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
  const below = (limit: number): number => Math.floor(next() * limit)
  return {
    next,
    below,
    chance: (probability) => probability > 0 && next() < probability,
    pick: (values) => {
      let left = below(values.length)
      for (const value of values) {
        if (left === 0) return value
        left -= 1
      }
      return values[0]
    },
    weighted: (choices) => {
      let left = next() * choices.reduce((sum, [weight]) => sum + weight, 0)
      for (const [weight, value] of choices) {
        left -= weight
        if (left < 0) return value
      }
      throw new Error('nothing to choose from')
    },
  }
}
