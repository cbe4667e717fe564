import { createHash } from 'node:crypto'
import { UsageError } from '../../errors.ts'

/** How much of an input has been read, and the hash of those bytes. Shows whether an input has changed since. */
export interface InputDigest {
  readonly bytes: number
  readonly hash: string
}

/** The running hash of an input, from the first row on. Compares it with what earlier runs have read. */
export class InputHash {
  readonly #hash = createHash('sha256')
  readonly #expected: InputDigest[]
  #bytes: number

  /** `expected`: what earlier runs have read, in any order. */
  constructor(startByte: number, expected: readonly InputDigest[] = []) {
    this.#bytes = startByte
    this.#expected = expected.toSorted((one, other) => one.bytes - other.bytes)
    this.#compare()
  }

  /**
   * Adds the next bytes.
   * @throws {UsageError} if they are not what an earlier run has read
   */
  add(bytes: Uint8Array): void {
    let rest = bytes
    for (let next = this.#expected[0]; next !== undefined; next = this.#expected[0]) {
      const length = next.bytes - this.#bytes
      if (length > rest.length) break
      this.#take(rest.subarray(0, length))
      rest = rest.subarray(length)
      this.#compare()
    }
    this.#take(rest)
  }

  get digest(): InputDigest {
    return { bytes: this.#bytes, hash: this.#hash.copy().digest('hex') }
  }

  /** Whether everything was read that earlier runs have read. */
  get isRecalled(): boolean {
    return this.#expected.length === 0
  }

  #take(bytes: Uint8Array): void {
    this.#hash.update(bytes)
    this.#bytes += bytes.length
  }

  #compare(): void {
    for (let next = this.#expected[0]; next !== undefined && next.bytes <= this.#bytes;) {
      if (next.bytes !== this.#bytes || next.hash !== this.digest.hash) throw inputChanged()
      this.#expected.shift()
      next = this.#expected[0]
    }
  }
}

export const inputChanged = () =>
  new UsageError('The input has changed since the interrupted run', {
    code: 'input_changed',
    outcome: 'none',
    hint: 'Start over with --restart.',
  })
