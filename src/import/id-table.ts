const FIRST_SLOTS = 4_096
/** Up to here it grows by four: what it grew out of stays in memory for a while. */
const MANY_SLOTS = 2 ** 20
/** Of the slots; a fuller table is searched for longer. */
const FULLEST = 0.75
/** A slot is the two halves of a hash, and a row; side by side they are one access to memory. */
const CELLS = 3

/** What {@link IdTable.see} answers where the ID has no earlier row. Rows count from 1. */
export const NEW = 0
export const FULL = -1

/**
 * Which IDs were seen, and in which row first. Of an ID only 64 bits of a hash are kept: 12 bytes instead of a text. Among
 * a million IDs, two different ones are taken for the same with a chance of one in thirty million.
 */
export class IdTable {
  readonly #most: number
  #size = 0
  #slots = FIRST_SLOTS
  /** The row of a free slot is 0. */
  #cells = new Uint32Array(FIRST_SLOTS * CELLS)

  constructor(most: number) {
    this.#most = most
  }

  /** The first row of the ID; NEW where this is it, FULL where it is and there is no more room. */
  see(id: string, row: number): number {
    let high = 0xdeadbeef
    let low = 0x41c6ce57
    for (let at = 0; at < id.length; at += 1) {
      const unit = id.charCodeAt(at)
      high = Math.imul(high ^ unit, 2_654_435_761)
      low = Math.imul(low ^ unit, 1_597_334_677)
    }
    high = Math.imul(high ^ (high >>> 16), 2_246_822_507) ^ Math.imul(low ^ (low >>> 13), 3_266_489_909)
    low = Math.imul(low ^ (low >>> 16), 2_246_822_507) ^ Math.imul(high ^ (high >>> 13), 3_266_489_909)
    const at = this.#placeOf(high >>> 0, low >>> 0)
    const before = this.#cells[at + 2] ?? 0
    if (before !== 0) return before
    if (this.#size >= this.#most) return FULL
    put(this.#cells, at, { high, low, row })
    this.#size += 1
    if (this.#size > this.#slots * FULLEST) this.#grow()
    return NEW
  }

  /** Where the slot of this hash begins. */
  #placeOf(high: number, low: number): number {
    const mask = this.#slots - 1
    const cells = this.#cells
    let slot = low & mask
    for (;;) {
      const at = slot * CELLS
      if (cells[at + 2] === 0 || (cells[at] === high && cells[at + 1] === low)) return at
      slot = (slot + 1) & mask
    }
  }

  #grow(): void {
    const before = this.#cells
    this.#slots *= this.#slots < MANY_SLOTS ? 4 : 2
    this.#cells = new Uint32Array(this.#slots * CELLS)
    for (let from = 0; from < before.length; from += CELLS) {
      const [high, low, row] = [before[from] ?? 0, before[from + 1] ?? 0, before[from + 2] ?? 0]
      if (row !== 0) put(this.#cells, this.#placeOf(high, low), { high, low, row })
    }
  }
}

function put(
  cells: Uint32Array,
  at: number,
  { high, low, row }: { readonly high: number; readonly low: number; readonly row: number },
): void {
  cells[at] = high
  cells[at + 1] = low
  cells[at + 2] = row
}
