import { isUtf8 } from 'node:buffer'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { Problem } from '../problem.ts'
import { MAX_BODY_BYTES } from '../request/body.ts'
import { systemCode } from '../../files/system-code.ts'
import { MAX_DISCARDED_BYTES } from './limits.ts'

/** The text of a body, or why there is none; undefined for a request without a body. */
export type Body = string | Problem | undefined

interface Connection {
  /** How many responses the connection waits for. */
  unanswered: number
  /** A promise that settles when the responses have been sent. */
  sent: Promise<void>
  /** Ends the last request if the rest of it will never arrive. */
  giveUp: () => void
}

/**
 * The open connections of a server. The requests of each are answered one at a time, in their order: a client may send several
 * without waiting, and each has to find what those before it did. A request whose turn comes after the connection was
 * closed isn't processed.
 */
interface Connections {
  readonly add: (socket: Socket) => void
  readonly receive: (request: IncomingMessage, response: ServerResponse) => void
  /** Refuses what isn't a request, after the responses to the requests before it, and closes the connection. */
  readonly refuse: (error: Error, socket: Duplex) => void
  /** The connections that wait for no response. */
  readonly idle: () => readonly Duplex[]
  /** Closes each connection after its last response, from now on. */
  readonly closeAfterResponses: () => void
}

type Answer = (request: IncomingMessage, response: ServerResponse, body: Body) => Promise<void>

export function connectionsWith(answer: Answer): Connections {
  const open = new Map<Duplex, Connection>()
  let isClosing = false

  const receive = (request: IncomingMessage, response: ServerResponse): void => {
    const { socket } = request
    const connection = open.get(socket)
    if (connection === undefined) return
    request.on('error', ignore)
    response.on('error', ignore)
    const isFirst = connection.unanswered === 0
    connection.unanswered += 1
    const closed = new Promise<void>((resolve) => {
      response.on('close', () => {
        connection.unanswered -= 1
        if (isClosing && connection.unanswered === 0) socket.destroySoon()
        resolve()
      })
    })
    const body = hasBody(request) ? receiveBody(request, connection) : Promise.resolve(undefined)
    const takeTurn = async (): Promise<void> => {
      const received = await body
      if (received === INCOMPLETE || (socket.destroyed && !isFirst)) return
      await answer(request, response, received)
      await closed
    }
    connection.sent = connection.sent.then(takeTurn)
  }

  return {
    add: (socket) => {
      open.set(socket, { unanswered: 0, sent: Promise.resolve(), giveUp: ignore })
      socket.on('close', () => open.delete(socket))
    },
    receive,
    refuse: (error, socket) => {
      const connection = open.get(socket)
      connection?.giveUp()
      const close = () => {
        if (socket.writable) socket.end(refusalOf(error), () => socket.destroy())
      }
      void connection?.sent.then(close)
    },
    idle: () => [...open].flatMap(([socket, { unanswered }]) => (unanswered === 0 ? [socket] : [])),
    closeAfterResponses: () => {
      isClosing = true
    },
  }
}

const ignore = (): void => undefined

const REFUSALS: Readonly<Record<string, string>> = {
  ERR_HTTP_REQUEST_TIMEOUT: '408 Request Timeout',
  HPE_CHUNK_EXTENSIONS_OVERFLOW: '413 Payload Too Large',
  HPE_HEADER_OVERFLOW: '431 Request Header Fields Too Large',
}

function refusalOf(error: Error): string {
  const code = systemCode(error) ?? ''
  return `HTTP/1.1 ${REFUSALS[code] ?? '400 Bad Request'}\r\nConnection: close\r\n\r\n`
}

/** Whether a request announces a body. */
const hasBody = ({ headers }: IncomingMessage): boolean =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0

const INCOMPLETE = Symbol('a body that never ends')

/** Reads a body as text, to its end. Keeps none of one that is too large, and cuts off a client that never stops. */
function receiveBody(request: IncomingMessage, connection: Connection): Promise<Body | typeof INCOMPLETE> {
  const chunks: Buffer[] = []
  let length = 0
  request.on('data', (chunk: Buffer) => {
    length += chunk.length
    if (length <= MAX_BODY_BYTES) chunks.push(chunk)
    else chunks.length = 0
    if (length > MAX_DISCARDED_BYTES) request.socket.destroy()
  })
  return new Promise((resolve) => {
    request.on('end', () => {
      if (length > MAX_BODY_BYTES) resolve(new Problem('PayloadTooLarge', 'The body is larger than 1 MB.'))
      else resolve(length === 0 ? '' : (unreadable(request) ?? textOf(chunks)))
    })
    const giveUp = () => {
      if (!request.complete) resolve(INCOMPLETE)
    }
    request.on('close', giveUp)
    connection.giveUp = giveUp
  })
}

function unreadable({ headers }: IncomingMessage): Problem | undefined {
  const encoding = headers['content-encoding']
  if (encoding !== undefined && !/^(?:identity)?$/i.test(encoding))
    return new Problem('UnsupportedMediaType', `Content-Encoding ${encoding} is not supported.`, {
      recoverySuggestion: 'Send the body unencoded.',
    })
  const charset = /;\s*charset\s*=\s*"?([^\s";]+)/i.exec(headers['content-type'] ?? '')?.[1]
  if (charset !== undefined && !/^utf-?8$/i.test(charset))
    return new Problem('UnsupportedMediaType', `The body's charset is ${charset}, not UTF-8.`)
  return undefined
}

function textOf(chunks: readonly Buffer[]): string | Problem {
  const bytes = Buffer.concat(chunks)
  return isUtf8(bytes) ? bytes.toString('utf8') : new Problem('MalformedJson', 'The body is not UTF-8.')
}
