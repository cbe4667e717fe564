/**
 * Runs work in sequence. Each piece starts after the previous one has settled and the event loop has handled other input, so
 * long pieces delay everything else once instead of adding up.
 */
export function oneAtATime(): <T>(work: () => Promise<T>) => Promise<T> {
  let last: Promise<unknown> = Promise.resolve()
  return (work) => {
    const result = last.then(work)
    last = result.then(nextTurn, nextTurn)
    return result
  }
}

const nextTurn = (): Promise<void> =>
  new Promise((resolve) => {
    setImmediate(resolve)
  })
