/** Runs work in parallel, except that work with the same key runs in the order it was added. */
export class KeyedQueue {
  readonly #tails = new Map<string, Promise<void>>()
  #running = 0
  #whenIdle: (() => void)[] = []

  /** Adds work, which must not reject. */
  add(key: string, work: () => Promise<void>): void {
    this.#running += 1
    const before = this.#tails.get(key)
    const tail = before === undefined ? work() : before.then(work)
    this.#tails.set(key, tail)
    void tail.then(() => this.#end(key, tail))
  }

  #end(key: string, tail: Promise<void>): void {
    if (this.#tails.get(key) === tail) this.#tails.delete(key)
    this.#running -= 1
    if (this.#running > 0) return
    for (const resolve of this.#whenIdle.splice(0)) resolve()
  }

  /** Resolves when no work is running or queued. */
  async whenIdle(): Promise<void> {
    if (this.#running === 0) return
    await new Promise<void>((resolve) => {
      this.#whenIdle.push(resolve)
    })
  }
}
