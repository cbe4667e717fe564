import type { ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { MAX_DISCARDED_BYTES, MAX_PENDING } from './limits.ts'

/** One client's connection, which answers one request after another. */
export interface Connection {
  readonly socket: Socket
  /** Unfinished responses, in the order of their requests. */
  readonly pending: ServerResponse[]
  /** What to do once all of them are finished: each begins a further response, or ends the connection. */
  readonly turns: (() => void)[]
  readonly timers: Set<NodeJS.Timeout>
  /** Its last response is decided: further requests are ignored. */
  isEnding: boolean
  /** The client waits for a response that never comes. */
  isHung: boolean
}

export function trackConnection(socket: Socket): Connection {
  const connection: Connection = {
    socket,
    pending: [],
    turns: [],
    timers: new Set(),
    isEnding: false,
    isHung: false,
  }
  // node:http handles socket errors until it hands a socket over, as for CONNECT.
  socket.on('error', () => undefined)
  socket.on('close', () => {
    for (const timer of connection.timers) clearTimeout(timer)
    connection.turns.length = 0
  })
  return connection
}

/** Acts on a response once those before it are finished, so that a client that sends ahead doesn't block the others. */
export function inTurn(
  { pending, turns }: Connection,
  response: ServerResponse | undefined,
  act: () => void,
): void {
  if (pending[0] === response) act()
  else turns.push(act)
}

/** Stops reading from a client that is far ahead of its responses. */
function applyBackpressure({ pending, isEnding, socket }: Connection): void {
  if (isEnding) return
  if (pending.length >= MAX_PENDING) socket.pause()
  else if (socket.isPaused() && pending.length < MAX_PENDING / 2) socket.resume()
}

/** Tracks a response until it is sent or its client is gone. */
export function trackResponse(
  connection: Connection,
  response: ServerResponse,
  onFinished: () => void,
): void {
  const { pending, turns } = connection
  pending.push(response)
  // Wait until all input so far is read: node:http resumes reading after each request.
  if (pending.length >= MAX_PENDING) queueMicrotask(() => applyBackpressure(connection))
  response.on('close', () => {
    pending.shift()
    applyBackpressure(connection)
    turns.shift()?.()
    onFinished()
  })
}

export function setConnectionTimer(connection: Connection, ms: number, act: () => void): void {
  const timer = setTimeout(() => {
    connection.timers.delete(timer)
    act()
  }, ms)
  connection.timers.add(timer)
}

/**
 * Ends a connection after its last response. Discards further input for a short time: closing immediately could make the client's
 * system drop the response before it is read (RFC 9112 section 9.6).
 */
export function closeGracefully(connection: Connection, lingerMs: number): void {
  const { socket } = connection
  let discarded = 0
  // Detach the parser: further bytes aren't requests.
  socket.removeAllListeners('data')
  socket.on('data', (chunk) => {
    discarded += chunk.length
    if (discarded > MAX_DISCARDED_BYTES) socket.destroy()
  })
  socket.on('end', () => socket.destroySoon())
  socket.end()
  if (socket.readableEnded) socket.destroySoon()
  else socket.resume()
  setConnectionTimer(connection, lingerMs, () => socket.destroy())
}
