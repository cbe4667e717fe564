const INITIAL_SLOTS = 4_096
/** Smaller tables grow fourfold, because each table that is replaced stays in memory until the next garbage collection. */
const MANY_SLOTS = 2 ** 20
/** The share of slots in use; searching a fuller table takes longer. */
const MAX_LOAD_FACTOR = 0.75
/** A slot has the two halves of a hash and a row. Adjacent cells cost one memory access. */
const CELLS = 3

/** Returned by {@link IdTable.add} if the ID has no earlier row. Rows count from 1. */
export const NEW = 0
export const FULL = -1

/**
 * A set of IDs with the row where each was first seen. Stores 64 bits of a hash instead of the text: 12 bytes per ID. Among
 * a million IDs, the chance that two different ones are taken for the same is one in thirty million.
 */
export class IdTable {
  readonly #maxIds: number
  #size = 0
  #slots = INITIAL_SLOTS
  /** A free slot has row 0. */
  #cells = new Uint32Array(INITIAL_SLOTS * CELLS)

  constructor(maxIds: number) {
    this.#maxIds = maxIds
  }

  /** Returns the first row of the ID; NEW if it was not seen before, FULL if it was not and there is no room for it. */
  add(id: string, row: number): number {
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
    if (this.#size >= this.#maxIds) return FULL
    put(this.#cells, at, { high, low, row })
    this.#size += 1
    if (this.#size > this.#slots * MAX_LOAD_FACTOR) this.#grow()
    return NEW
  }

  /** The index of the first cell of the hash's slot. */
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
