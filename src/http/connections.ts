import { openConnection } from './connection.ts'
import type { Sending } from './sending.ts'
import type { Opening } from './tunnel.ts'
import { WireConnection } from './wire-connection.ts'

interface ConnectionsOptions {
  readonly target: URL
  /** Read for the proxy variables. */
  readonly env: Readonly<Record<string, string | undefined>>
  readonly most: number
  readonly monotonicMs: () => number
  readonly opening: Opening
}

interface Idle {
  readonly connection: WireConnection
  /** Of the event loop. */
  readonly turn: number
  readonly untilMs: number
}

/** A host that has not accepted a connection by then is down, or drops packets. */
const CONNECT_TIMEOUT_MS = 10_000
/** A connection that was idle for longer may have been closed by the other side: a write would meet its end. */
const IDLE_LIFE_MS = 4_000
/** Of the time that the other side says it waits. */
const IDLE_MARGIN_MS = 2_000

/** The connections to one server, each with one request at a time; what finds none free waits in line. */
export class Connections {
  readonly #options: ConnectionsOptions
  readonly #open = new Set<WireConnection>()
  readonly #idle: Idle[] = []
  readonly #line: Sending[] = []
  #opening = 0
  #turn = 0
  #isTurning = false
  #isHearing = false
  #isClosed = false

  constructor(options: ConnectionsOptions) {
    this.#options = options
  }

  send(sending: Sending): void {
    this.#line.push(sending)
    this.#serve()
  }

  close(): void {
    this.#isClosed = true
    for (const connection of this.#open) connection.end(closed())
    this.#failLine()
  }

  #serve(isHeard = false): void {
    for (let first = this.#line[0]; first !== undefined; first = this.#line[0]) {
      // Not one that was given up while it waited.
      if (!first.isOver) {
        const connection = this.#takeIdle(isHeard)
        if (connection === undefined) {
          if (this.#idle.length > 0) this.#hear()
          else this.#openMore()
          return
        }
        first.writeTo(connection)
      }
      this.#line.shift()
    }
  }

  /**
   * One that has become free in this turn of the event loop is taken as it is. The end of any other may be on its way:
   * `isHeard` says that it would be known by now.
   */
  #takeIdle(isHeard: boolean): WireConnection | undefined {
    for (let last = this.#idle.at(-1); last !== undefined; last = this.#idle.at(-1)) {
      const { connection, turn, untilMs } = last
      const isFresh = turn === this.#turn
      const isUsable = connection.isOpen && (isFresh || this.#options.monotonicMs() < untilMs)
      if (isUsable && !isFresh && !isHeard) return undefined
      this.#idle.pop()
      if (isUsable) return connection
      connection.leave()
    }
    return undefined
  }

  /** A whole turn of the event loop: when the other side has closed a connection by now, it is known after it. */
  #hear(): void {
    if (this.#isHearing) return
    this.#isHearing = true
    setImmediate(() =>
      setImmediate(() => {
        this.#isHearing = false
        this.#serve(true)
      }),
    )
  }

  #openMore(): void {
    const { most } = this.#options
    while (this.#opening < this.#line.length && this.#open.size + this.#opening < most) void this.#openOne()
  }

  async #openOne(): Promise<void> {
    const { target, env, opening } = this.#options
    this.#opening += 1
    try {
      const isClosed = () => this.#isClosed
      const connection = new WireConnection({
        onFree: (free, saidMs) => this.#takeBack(free, saidMs),
        onGone: (gone) => this.#forget(gone),
      })
      const { onread } = connection
      const timeoutMs = CONNECT_TIMEOUT_MS
      const socket = await openConnection({ target, env, opening, isClosed, onread, timeoutMs })
      this.#opening -= 1
      if (this.#isClosed) return void socket.destroy(closed())
      connection.use(socket)
      this.#open.add(connection)
      this.#takeBack(connection, undefined)
    } catch (error) {
      this.#opening -= 1
      this.#line.shift()?.failed(error)
      this.#serve()
    }
  }

  #takeBack(connection: WireConnection, saidMs: number | undefined): void {
    const lifeMs = saidMs === undefined ? IDLE_LIFE_MS : Math.min(IDLE_LIFE_MS, saidMs - IDLE_MARGIN_MS)
    this.#idle.push({ connection, turn: this.#turn, untilMs: this.#options.monotonicMs() + lifeMs })
    this.#tellTurn()
    if (this.#line.length > 0) this.#serve()
  }

  #forget(connection: WireConnection): void {
    this.#open.delete(connection)
    const place = this.#idle.findIndex((idle) => idle.connection === connection)
    if (place !== -1) this.#idle.splice(place, 1)
    if (this.#isClosed) this.#failLine()
    else if (this.#line.length > 0) this.#serve()
  }

  #failLine(): void {
    for (const sending of this.#line.splice(0)) sending.failed(closed())
  }

  #tellTurn(): void {
    if (this.#isTurning) return
    this.#isTurning = true
    setImmediate(() => {
      this.#isTurning = false
      this.#turn += 1
    })
  }
}

const closed = (): Error => Object.assign(new Error('the transport was closed'), { code: 'ERR_CLOSED' })
