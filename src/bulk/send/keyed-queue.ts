/** Work that is done at once, except for what has the same key: that is done one after another, in the order in which it came. */
export class KeyedQueue {
  readonly #last = new Map<string, Promise<void>>()
  #underway = 0
  #whenIdle: (() => void)[] = []

  /** `work` must not fail. */
  add(key: string, work: () => Promise<void>): void {
    this.#underway += 1
    const before = this.#last.get(key)
    const lane = before === undefined ? work() : before.then(work)
    this.#last.set(key, lane)
    void lane.then(() => this.#end(key, lane))
  }

  #end(key: string, lane: Promise<void>): void {
    if (this.#last.get(key) === lane) this.#last.delete(key)
    this.#underway -= 1
    if (this.#underway > 0) return
    for (const resolve of this.#whenIdle.splice(0)) resolve()
  }

  async idle(): Promise<void> {
    if (this.#underway === 0) return
    await new Promise<void>((resolve) => {
      this.#whenIdle.push(resolve)
    })
  }
}
