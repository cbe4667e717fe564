import type { AnswerReader } from './answer-reader.ts'
import { readBody } from './answer-body.ts'
import { answerFailure, connectFailure, timeoutFailure } from './failure.ts'
import { TransportFailure } from './transport-port.ts'
import type { SendOptions, WireAnswer, WireRequest } from './transport-port.ts'
import type { Asker, WireConnection } from './wire-connection.ts'

interface Settle {
  readonly resolve: (answer: WireAnswer) => void
  readonly reject: (failure: TransportFailure) => void
  /** It needs no looking after any more. */
  readonly onOver: (sending: Sending) => void
}

/** One request on its way, from the first step to its complete answer. */
export class Sending implements Asker {
  readonly request: WireRequest
  readonly options: SendOptions
  readonly text: string
  readonly target: URL
  readonly deadlineMs: number
  readonly #settle: Settle
  /** As long as the answer is on its way. */
  #connection: WireConnection | undefined
  #isSent = false
  #isOver = false

  constructor(
    {
      request,
      options,
      text,
      target,
      deadlineMs,
    }: Pick<Sending, 'request' | 'options' | 'text' | 'target' | 'deadlineMs'>,
    settle: Settle,
  ) {
    this.request = request
    this.options = options
    this.text = text
    this.target = target
    this.deadlineMs = deadlineMs
    this.#settle = settle
  }

  get method(): string {
    return this.request.method
  }

  get isOver(): boolean {
    return this.#isOver
  }

  get isSent(): boolean {
    return this.#isSent
  }

  /** Never twice. */
  writeTo(connection: WireConnection): void {
    this.#isSent = true
    this.#connection = connection
    connection.write(this.text, this)
  }

  answered(reader: AnswerReader): void {
    // It may carry another request while this answer is decoded.
    this.#connection = undefined
    const { status, headers } = reader
    const head = reader.isFramed ? { status, headers } : ({ status, headers, isUnframed: true } as const)
    if (headers['content-encoding'] === undefined) this.#end({ ...head, body: reader.body().toString() })
    else void this.#decode(head, Buffer.from(reader.body()))
  }

  async #decode(head: Omit<WireAnswer, 'body'>, bytes: Buffer): Promise<void> {
    try {
      this.#end({ ...head, body: await readBody(bytes, head.headers) })
    } catch (error) {
      this.fail(answerFailure(error))
    }
  }

  failed(error: unknown): void {
    this.fail(this.isSent ? answerFailure(error) : connectFailure(error, this.target.host))
  }

  giveUp(): void {
    this.fail(new TransportFailure('aborted', this.isSent, 'it was given up'))
  }

  runOut(): void {
    this.fail(timeoutFailure(this.options.timeoutMs, this.isSent))
  }

  fail(failure: TransportFailure): void {
    if (this.#isOver) return
    this.#over()
    this.#connection?.leave(this)
    this.#settle.reject(failure)
  }

  #end(answer: WireAnswer): void {
    if (this.#isOver) return
    this.#over()
    this.#settle.resolve(answer)
  }

  #over(): void {
    this.#isOver = true
    this.#settle.onOver(this)
  }
}
