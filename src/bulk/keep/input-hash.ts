import { createHash } from 'node:crypto'
import { UsageError } from '../../errors.ts'

/** How much of an input has been read, and the hash of those bytes. Shows whether an input has changed since. */
export interface InputDigest {
  readonly bytes: number
  readonly hash: string
}

/** The running hash of an input, from the first row on. */
export class InputHash {
  readonly #hash = createHash('sha256')
  #bytes: number

  constructor(startByte: number) {
    this.#bytes = startByte
  }

  /** Adds the bytes that begin at `at`, except those that were added before. */
  add(bytes: Uint8Array, at: number): void {
    const known = this.#bytes - at
    if (known >= bytes.length) return
    this.#hash.update(known > 0 ? bytes.subarray(known) : bytes)
    this.#bytes = at + bytes.length
  }

  get digest(): InputDigest {
    return { bytes: this.#bytes, hash: this.#hash.copy().digest('hex') }
  }
}

/**
 * The input from `fromByte` on. First reads again what an earlier run had read (`seen`) and compares the hash, because the
 * reported rows must be the ones in this input. Yields nothing before that.
 * @throws {UsageError} if the input has changed
 */
export async function* verifiedChunks(
  chunks: AsyncIterable<Uint8Array>,
  fromByte: number,
  {
    hash,
    startByte,
    seen,
  }: { readonly hash: InputHash; readonly startByte: number; readonly seen: InputDigest | undefined },
): AsyncGenerator<Uint8Array> {
  const known = seen ?? { bytes: startByte, hash: hash.digest.hash }
  const held: Uint8Array[] = []
  let at = 0
  let isVerified = false
  for await (const chunk of chunks) {
    const end = at + chunk.length
    const wanted = end <= fromByte ? chunk.subarray(chunk.length) : chunk.subarray(Math.max(0, fromByte - at))
    if (isVerified) yield wanted
    else {
      if (end > startByte) {
        const from = Math.max(0, startByte - at)
        hash.add(chunk.subarray(from, Math.max(from, known.bytes - at)), at + from)
      }
      if (wanted.length > 0) held.push(wanted)
      if (end >= known.bytes) {
        if (hash.digest.hash !== known.hash) throw inputChanged()
        isVerified = true
        yield* held.splice(0)
      }
    }
    at = end
  }
  if (!isVerified && at < known.bytes) throw inputChanged()
}

const inputChanged = () =>
  new UsageError('The input has changed since the interrupted run', {
    code: 'input_changed',
    outcome: 'none',
    hint: 'Start over with --restart.',
  })
