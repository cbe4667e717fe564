/**
 * The candidate that a mistyped word most likely means; undefined if none is close. Ignores case; the first of equally
 * close candidates wins.
 */
export function closest(word: string, candidates: Iterable<string>): string | undefined {
  const typed = word.toLowerCase()
  let best: string | undefined
  // Up to a third of the letters may be wrong (at most 3), at least 2 from four letters on and 1 in a shorter word.
  let limit = Math.min(3, Math.max(typed.length < 4 ? 1 : 2, Math.floor(typed.length / 3))) + 1
  for (const candidate of candidates) {
    if (Math.abs(candidate.length - typed.length) >= limit) continue
    const distance = editDistance(typed, candidate.toLowerCase())
    // At least one letter must match: "x" does not mean "y".
    if (distance >= limit || distance >= typed.length) continue
    best = candidate
    limit = distance
  }
  return best
}

/** What a mistyped or shortened word most likely means: the closest candidate, else the first that begins with it. */
export function meantBy(word: string, candidates: Iterable<string>): string | undefined {
  const all = [...candidates]
  const typed = word.toLowerCase()
  const longer = typed.length < 2 ? undefined : all.find((each) => each.toLowerCase().startsWith(typed))
  return closest(word, all) ?? longer
}

/** The question `Did you mean …?`; undefined if no candidate is close. */
export function didYouMean(word: string, candidates: Iterable<string>): string | undefined {
  const suggestion = meantBy(word, candidates)
  return suggestion === undefined ? undefined : `Did you mean ${suggestion}?`
}

/** Joins choices: `a, b or c`. */
export const joinChoices = (choices: readonly string[]): string =>
  choices.length < 2 ? choices.join('') : `${choices.slice(0, -1).join(', ')} or ${choices.at(-1)}`

/** Damerau-Levenshtein distance (optimal string alignment): insertions, deletions, changes and swaps of neighbours. */
export function editDistance(from: string, to: string): number {
  let beforeLast: readonly number[] = []
  let last: readonly number[] = Array.from({ length: to.length + 1 }, (_, index) => index)
  for (let row = 1; row <= from.length; row++) {
    const current = [row]
    for (let column = 1; column <= to.length; column++) {
      const changed = at(last, column - 1) + (from[row - 1] === to[column - 1] ? 0 : 1)
      let cost = Math.min(changed, at(last, column) + 1, at(current, column - 1) + 1)
      const isSwap = from[row - 1] === to[column - 2] && from[row - 2] === to[column - 1]
      if (row > 1 && column > 1 && isSwap) cost = Math.min(cost, at(beforeLast, column - 2) + 1)
      current.push(cost)
    }
    beforeLast = last
    last = current
  }
  return at(last, to.length)
}

const at = (costs: readonly number[], index: number): number => costs[index] ?? Number.POSITIVE_INFINITY
