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
  /** Of the event loop, in which it became free. */
  readonly turn: number
  readonly untilMs: number
}

/** A host that has not accepted a connection by then is down, or drops packets. */
const CONNECT_TIMEOUT_MS = 10_000
/** A connection that was idle for longer may have been closed by the other side: a write would meet its end. */
const IDLE_LIFE_MS = 4_000
/** Of the time that the other side says it waits. */
const IDLE_MARGIN_MS = 2_000
const NO_TURN = -1

/** The connections to one server, each with one request at a time; what finds none free waits in line. */
export class Connections {
  readonly #options: ConnectionsOptions
  readonly #open = new Set<WireConnection>()
  readonly #idle: Idle[] = []
  readonly #line: Sending[] = []
  #opening = 0
  #turn = 0
  #isTurning = false
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

  /** `heard`: up to the turn in which a connection became free, its end and stray answers would be known by now. */
  #serve(heard = NO_TURN): void {
    for (let first = this.#line[0]; first !== undefined; first = this.#line[0]) {
      // Not one that was given up while it waited.
      if (!first.isOver) {
        const connection = this.#takeIdle(heard)
        if (connection === undefined) {
          if (this.#idle.length > 0) this.#endTurn()
          this.#openMore()
          return
        }
        first.writeTo(connection)
      }
      this.#line.shift()
    }
  }

  /** The last that became free. One that was wanted in the same turn is taken however soon the other side ends it. */
  #takeIdle(heard: number): WireConnection | undefined {
    for (;;) {
      const place = this.#idle.findLastIndex(({ turn }) => turn <= heard)
      const [idle] = place === -1 ? [] : this.#idle.splice(place, 1)
      if (idle === undefined) return undefined
      const { connection, turn, untilMs } = idle
      if (connection.isOpen && (turn === heard || this.#options.monotonicMs() < untilMs)) return connection
      connection.leave()
    }
  }

  /**
   * Between the end of this turn of the event loop and that of the next everything is read that has come: a connection
   * that was closed, or on which an answer came that nobody asked for, is not written to.
   */
  #endTurn(): void {
    if (this.#isTurning) return
    this.#isTurning = true
    setImmediate(() => {
      const heard = this.#turn
      this.#turn += 1
      this.#isTurning = false
      if (this.#line.length > 0) setImmediate(() => this.#serve(heard))
    })
  }

  #openMore(): void {
    const { most } = this.#options
    const isWanted = () => this.#opening + this.#idle.length < this.#line.length
    while (isWanted() && this.#open.size + this.#opening < most) void this.#openOne()
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
      // Its close may have been told already: nothing would ever take it out of `#open` again.
      if (socket.destroyed) throw closedAtOnce()
      this.#opening -= 1
      if (this.#isClosed) return void socket.destroy()
      connection.use(socket)
      this.#open.add(connection)
      this.#takeBack(connection, undefined)
    } catch (error) {
      this.#opening -= 1
      this.#failFirst(error)
      this.#serve()
    }
  }

  /** Whoever is opened for nothing takes one along: else nobody would ever stop opening. */
  #failFirst(error: unknown): void {
    const place = this.#line.findIndex(({ isOver }) => !isOver)
    const [first] = this.#line.splice(0, place + 1).slice(-1)
    first?.failed(error)
  }

  #takeBack(connection: WireConnection, saidMs: number | undefined): void {
    const lifeMs = saidMs === undefined ? IDLE_LIFE_MS : Math.min(IDLE_LIFE_MS, saidMs - IDLE_MARGIN_MS)
    this.#idle.push({ connection, turn: this.#turn, untilMs: this.#options.monotonicMs() + lifeMs })
    this.#endTurn()
  }

  #forget(connection: WireConnection): void {
    this.#open.delete(connection)
    const place = this.#idle.findIndex((idle) => idle.connection === connection)
    if (place !== -1) this.#idle.splice(place, 1)
    if (this.#isClosed) return this.#failLine()
    // It was accepted and ended at once, or spoke first: another one would fare no better.
    if (!connection.wasUsed) this.#failFirst(closedAtOnce())
    if (this.#line.length > 0) this.#serve()
  }

  #failLine(): void {
    for (const sending of this.#line.splice(0)) sending.failed(closed())
  }
}

const closed = (): Error => Object.assign(new Error('the transport was closed'), { code: 'ERR_CLOSED' })
const closedAtOnce = (): Error => Object.assign(new Error('it closed at once'), { code: 'ECONNRESET' })
