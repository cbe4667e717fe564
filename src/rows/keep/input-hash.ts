import { createHash } from 'node:crypto'
import { UsageError } from '../../errors.ts'

/** The bytes of an input that have been read: their number and hash. Shows whether the input has changed since. */
export interface InputDigest {
  readonly bytes: number
  readonly hash: string
}

/** The running hash of an input, from the first row on. Compares it with what an earlier run has read. */
export class InputHash {
  readonly #hash = createHash('sha256')
  #expected: InputDigest | undefined
  #bytes: number

  /** `expected`: what an earlier run has read. */
  constructor(startByte: number, expected: InputDigest | undefined) {
    this.#bytes = startByte
    this.#expected = expected
    this.#compare()
  }

  /**
   * Adds the next bytes.
   * @throws {UsageError} if they are not what the earlier run has read
   */
  add(bytes: Uint8Array): void {
    const left = (this.#expected?.bytes ?? 0) - this.#bytes
    const known = left > 0 && left <= bytes.length ? left : 0
    this.#take(bytes.subarray(0, known))
    this.#compare()
    this.#take(bytes.subarray(known))
  }

  get digest(): InputDigest {
    return { bytes: this.#bytes, hash: this.#hash.copy().digest('hex') }
  }

  /** Whether everything was read that the earlier run has read. */
  get isRecalled(): boolean {
    return this.#expected === undefined
  }

  #take(bytes: Uint8Array): void {
    this.#hash.update(bytes)
    this.#bytes += bytes.length
  }

  #compare(): void {
    if (this.#expected === undefined || this.#expected.bytes > this.#bytes) return
    if (this.#expected.bytes !== this.#bytes || this.#expected.hash !== this.digest.hash) throw inputChanged()
    this.#expected = undefined
  }
}

export const inputChanged = () =>
  new UsageError('The input has changed since the interrupted run', {
    code: 'input_changed',
    outcome: 'none',
    hint: 'Start over with --restart.',
  })
