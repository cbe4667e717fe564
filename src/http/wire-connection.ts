import type { OnReadOpts, Socket } from 'node:net'
import { AnswerReader } from './answer-reader.ts'

/** Who waits for the answer on a connection. */
export interface Asker {
  readonly method: string
  /** The whole answer is in `reader`, until the next request is written. */
  readonly answered: (reader: AnswerReader) => void
  /** What was written has got no complete answer. */
  readonly failed: (error: unknown) => void
}

export interface ConnectionOwner {
  /** Another request may follow. `saidMs`: how long the other side says it waits for it. */
  readonly onFree: (connection: WireConnection, saidMs: number | undefined) => void
  readonly onGone: (connection: WireConnection) => void
}

/** An answer of the service is smaller. */
const READ_BYTES = 16 * 1024

/** One connection that carries one request at a time. */
export class WireConnection {
  /** Each time something has come it stands in the same memory. */
  readonly onread: OnReadOpts = {
    buffer: Buffer.allocUnsafeSlow(READ_BYTES),
    callback: (length, memory) => {
      this.#read(Buffer.from(memory.buffer, memory.byteOffset, length))
      return true
    },
  }
  #socket: Socket | undefined
  readonly #reader = new AnswerReader()
  readonly #owner: ConnectionOwner
  #asker: Asker | undefined
  #wasUsed = false

  constructor(owner: ConnectionOwner) {
    this.#owner = owner
  }

  use(socket: Socket): void {
    this.#socket = socket
    socket.on('data', (bytes: Buffer) => this.#read(bytes))
    socket.on('end', () => this.#end())
    socket.on('error', (error) => this.#fail(error))
    socket.on('close', () => {
      this.#fail(ended())
      this.#owner.onGone(this)
    })
  }

  get isOpen(): boolean {
    const socket = this.#socket
    return socket !== undefined && !socket.destroyed && socket.readable && socket.writable
  }

  /** Whether a request was ever written to it. */
  get wasUsed(): boolean {
    return this.#wasUsed
  }

  /** From here on it may have been done. */
  write(text: string, asker: Asker): void {
    this.#wasUsed = true
    this.#asker = asker
    this.#reader.begin(asker.method)
    this.#socket?.write(text)
  }

  /** `asker` waits no more, or nobody did: what may still come must not become the answer to another request. */
  leave(asker?: Asker): void {
    if (asker !== this.#asker) return
    this.#asker = undefined
    this.#socket?.destroy()
  }

  end(error: Error): void {
    this.#socket?.destroy(error)
  }

  #read(bytes: Buffer): void {
    const asker = this.#asker
    // Bytes that belong to no request.
    if (asker === undefined) return void this.#socket?.destroy()
    try {
      if (this.#reader.take(bytes)) this.#finish(asker)
    } catch (error) {
      this.#fail(error)
    }
  }

  #end(): void {
    const asker = this.#asker
    if (asker !== undefined && this.#reader.end()) this.#finish(asker)
    else this.#fail(ended())
  }

  #finish(asker: Asker): void {
    this.#asker = undefined
    asker.answered(this.#reader)
    if (this.#reader.isReusable) this.#owner.onFree(this, saidMs(this.#reader.headers['keep-alive']))
    else this.#socket?.destroy()
  }

  #fail(error: unknown): void {
    const asker = this.#asker
    this.leave(asker)
    asker?.failed(error)
  }
}

function saidMs(keepAlive: string | undefined): number | undefined {
  const seconds = keepAlive === undefined ? undefined : /\btimeout=(\d+)/i.exec(keepAlive)?.[1]
  return seconds === undefined ? undefined : Number(seconds) * 1000
}

const ended = (): Error => Object.assign(new Error('the connection ended'), { code: 'ECONNRESET' })
