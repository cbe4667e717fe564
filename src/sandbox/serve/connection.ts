import type { ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { MAX_DISCARDED_BYTES, MAX_PENDING, MAX_IN_PROGRESS } from './limits.ts'

/** One client's connection and the order of its requests and responses. */
export interface Connection {
  readonly socket: Socket
  /** Requests that aren't dispatched yet, in order of arrival. */
  readonly queue: { dispatch: (() => void) | undefined }[]
  /** Unfinished responses, in the order of their requests. */
  readonly pending: ServerResponse[]
  /** What to do once the responses before this one are finished; the key `undefined` means after the last one. */
  readonly waiting: Map<ServerResponse | undefined, () => void>
  readonly timers: Set<NodeJS.Timeout>
  /** Its last response is decided: further requests are ignored. */
  isEnding: boolean
  /** The client waits for a response that never comes. */
  isHung: boolean
}

export function trackConnection(socket: Socket): Connection {
  const connection: Connection = {
    socket,
    queue: [],
    pending: [],
    waiting: new Map(),
    timers: new Set(),
    isEnding: false,
    isHung: false,
  }
  // node:http handles socket errors until it hands a socket over, as for CONNECT.
  socket.on('error', () => undefined)
  socket.on('close', () => {
    for (const timer of connection.timers) clearTimeout(timer)
    connection.waiting.clear()
  })
  return connection
}

/**
 * Reserves a place in the order of arrival and returns a function that runs work once everything before it has been
 * dispatched. node:http reports the end of a body after the next request, and a read must not overtake a write.
 */
export function queueRequest(connection: Connection): (dispatch: () => void) => void {
  const entry: Connection['queue'][number] = { dispatch: undefined }
  connection.queue.push(entry)
  return (dispatch) => {
    entry.dispatch = dispatch
    dispatchReady(connection)
  }
}

/** Whether a request can be dispatched at once: none is queued before it, and the client isn't ahead of its responses. */
export const isFree = ({ queue, pending }: Connection): boolean =>
  queue.length === 0 && pending.length <= MAX_IN_PROGRESS

/** Dispatches only a few requests per client at a time, so that one that sends without reading doesn't block the others. */
function dispatchReady({ queue, pending }: Connection): void {
  while (queue[0]?.dispatch !== undefined && pending.length - queue.length < MAX_IN_PROGRESS)
    queue.shift()?.dispatch?.()
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
  const { pending, waiting } = connection
  pending.push(response)
  // Wait until all input so far is read: node:http resumes reading after each request.
  if (pending.length >= MAX_PENDING) queueMicrotask(() => applyBackpressure(connection))
  response.on('close', () => {
    pending.shift()
    dispatchReady(connection)
    applyBackpressure(connection)
    const next = waiting.get(pending[0])
    waiting.delete(pending[0])
    next?.()
    onFinished()
  })
}

/** Runs `act` once every response before this one is finished; without a response, once all are. */
export function afterEarlierResponses(
  connection: Connection,
  response: ServerResponse | undefined,
  act: () => void,
): void {
  if (connection.pending[0] === response) act()
  else connection.waiting.set(response, act)
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
