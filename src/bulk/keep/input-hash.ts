import { createHash } from 'node:crypto'
import { UsageError } from '../../errors.ts'

/** What was read of an input so far, as a hash of its bytes: an input that is another now is noticed. */
export interface InputDigest {
  readonly bytes: number
  readonly hash: string
}

/** The running hash of an input, from where its rows begin. */
export class InputHash {
  readonly #hash = createHash('sha256')
  #bytes: number

  constructor(startByte: number) {
    this.#bytes = startByte
  }

  /** What is known already changes nothing. */
  take(bytes: Uint8Array, at: number): void {
    const known = this.#bytes - at
    if (known >= bytes.length) return
    this.#hash.update(known > 0 ? bytes.subarray(known) : bytes)
    this.#bytes = at + bytes.length
  }

  get seen(): InputDigest {
    return { bytes: this.#bytes, hash: this.#hash.copy().digest('hex') }
  }
}

/**
 * The input from `fromByte` on. Before anything of it is handed on, all that an earlier run had read is read again and
 * compared: its rows are told of already, and have to be these.
 * @throws {UsageError} when it is another input
 */
export async function* verifiedChunks(
  chunks: AsyncIterable<Uint8Array>,
  fromByte: number,
  {
    proof,
    startByte,
    seen,
  }: { readonly proof: InputHash; readonly startByte: number; readonly seen: InputDigest | undefined },
): AsyncGenerator<Uint8Array> {
  const known = seen ?? { bytes: startByte, hash: proof.seen.hash }
  const kept: Uint8Array[] = []
  let at = 0
  let isProven = false
  for await (const chunk of chunks) {
    const end = at + chunk.length
    const wanted = end <= fromByte ? chunk.subarray(chunk.length) : chunk.subarray(Math.max(0, fromByte - at))
    if (isProven) yield wanted
    else {
      if (end > startByte) {
        const from = Math.max(0, startByte - at)
        proof.take(chunk.subarray(from, Math.max(from, known.bytes - at)), at + from)
      }
      if (wanted.length > 0) kept.push(wanted)
      if (end >= known.bytes) {
        if (proof.seen.hash !== known.hash) throw otherInput()
        isProven = true
        yield* kept.splice(0)
      }
    }
    at = end
  }
  if (!isProven && at < known.bytes) throw otherInput()
}

const otherInput = () =>
  new UsageError('The input has changed since this import started', {
    code: 'input_changed',
    outcome: 'none',
    hint: 'Start over with --restart.',
  })
