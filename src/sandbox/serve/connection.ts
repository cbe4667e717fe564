import type { ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { DISCARDED_BYTES, MAX_DUE, MAX_UNDER_WAY } from './limits.ts'

/** One client's connection: what it waits for, in which order, and how it is left. */
export interface Connection {
  readonly socket: Socket
  /** Requests that are not handed on yet, in the order in which they began to arrive. */
  readonly arrivals: { go: (() => void) | undefined }[]
  /** Answers that it waits for, in the order of their requests. */
  readonly due: ServerResponse[]
  /** What is to be done once the answers before it are out; `undefined` is for after the last one. */
  readonly waiting: Map<ServerResponse | undefined, () => void>
  readonly timers: Set<NodeJS.Timeout>
  /** Its last answer is decided: what else it sends is not listened to. */
  isLeaving: boolean
  /** It waits for an answer that will never come. */
  isHung: boolean
}

export function watch(socket: Socket): Connection {
  const connection: Connection = {
    socket,
    arrivals: [],
    due: [],
    waiting: new Map(),
    timers: new Set(),
    isLeaving: false,
    isHung: false,
  }
  // node:http looks after errors until it hands a socket over, as for CONNECT.
  socket.on('error', () => undefined)
  socket.on('close', () => {
    for (const timer of connection.timers) clearTimeout(timer)
    connection.waiting.clear()
  })
  return connection
}

/**
 * A place in the order of arrival: what is given to it is done once everything before it is. node:http tells of the end of a
 * body after it has told of the request behind it, and a read must not overtake a write.
 */
export function queueRequest(connection: Connection): (go: () => void) => void {
  const place: Connection['arrivals'][number] = { go: undefined }
  connection.arrivals.push(place)
  return (go) => {
    place.go = go
    handOn(connection)
  }
}

/** Whether a request can be handed on at once: nothing is before it, and the client is not ahead of its answers. */
export const isFree = ({ arrivals, due }: Connection): boolean =>
  arrivals.length === 0 && due.length <= MAX_UNDER_WAY

/** A client that sends without reading must not keep the others waiting: few of its requests are worked on at a time. */
function handOn({ arrivals, due }: Connection): void {
  while (arrivals[0]?.go !== undefined && due.length - arrivals.length < MAX_UNDER_WAY)
    arrivals.shift()?.go?.()
}

/** Listens to a client as long as it does not run far ahead of its answers. */
function regulate({ due, isLeaving, socket }: Connection): void {
  if (isLeaving) return
  if (due.length >= MAX_DUE) socket.pause()
  else if (socket.isPaused() && due.length < MAX_DUE / 2) socket.resume()
}

/** Counts an answer as due until it is out, or the client is gone. */
export function trackResponse(connection: Connection, response: ServerResponse, onOut: () => void): void {
  const { due, waiting } = connection
  due.push(response)
  // Once all that has come in is read: after each request node:http listens again by itself.
  if (due.length >= MAX_DUE) queueMicrotask(() => regulate(connection))
  response.on('close', () => {
    due.shift()
    handOn(connection)
    regulate(connection)
    const next = waiting.get(due[0])
    waiting.delete(due[0])
    next?.()
    onOut()
  })
}

/** Acts once every answer before this one is out; without a response, once all are. */
export function afterEarlierResponses(
  connection: Connection,
  response: ServerResponse | undefined,
  act: () => void,
): void {
  if (connection.due[0] === response) act()
  else connection.waiting.set(response, act)
}

export function later(connection: Connection, ms: number, act: () => void): void {
  const timer = setTimeout(() => {
    connection.timers.delete(timer)
    act()
  }, ms)
  connection.timers.add(timer)
}

/**
 * Ends a connection after its last answer. What the client is still sending is read and thrown away for a while: closing at
 * once would make its system drop the answer before the client has read it (RFC 9112 section 9.6).
 */
export function leave(connection: Connection, lingerMs: number): void {
  const { socket } = connection
  let discarded = 0
  // Takes the parser off: whatever comes is no request any more.
  socket.removeAllListeners('data')
  socket.on('data', (chunk) => {
    discarded += chunk.length
    if (discarded > DISCARDED_BYTES) socket.destroy()
  })
  socket.on('end', () => socket.destroySoon())
  socket.end()
  if (socket.readableEnded) socket.destroySoon()
  else socket.resume()
  later(connection, lingerMs, () => socket.destroy())
}
