/** Bodies are kept for this many requests in each second, so that a bulk load pays nothing for them. */
export const BODIES_PER_SECOND = 20

/** Says whether to keep the bodies of one more request. `now` is the machine's clock. */
export function bodyBudget(now: () => Date): () => boolean {
  let second = 0
  let kept = 0
  return () => {
    const current = Math.floor(now().getTime() / 1000)
    if (current !== second) {
      second = current
      kept = 0
    }
    kept += 1
    return kept <= BODIES_PER_SECOND
  }
}
