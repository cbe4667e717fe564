/**
 * Runs one piece of work after the other, each once the one before it has settled and the event loop has looked for whatever
 * else came in meanwhile. Work that takes long then delays everything else once, not as often as it was asked for.
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
