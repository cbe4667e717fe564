import { connect } from 'node:net'
import type { Socket } from 'node:net'
import { onTestFinished } from 'vitest'

/** A client that sends any bytes and records what it receives. */
export interface RawClient {
  readonly socket: Socket
  /** Everything received so far. */
  readonly received: () => string
  send(bytes: string | Uint8Array): void
  /** Half-closes the connection; still receives. */
  endSending(): void
  /** Resolves once the received text matches. */
  until(pattern: RegExp): Promise<string>
  /** Resolves with everything received once the server has closed its side: `end` after an orderly close, `reset` otherwise. */
  untilClosed(): Promise<{ readonly text: string; readonly by: 'end' | 'reset' }>
}

export async function openRaw(port: number): Promise<RawClient> {
  const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true })
  onTestFinished(() => void socket.resetAndDestroy())
  let text = ''
  let by: 'end' | 'reset' | undefined
  const lookers = new Set<() => void>()
  const changed = () => {
    for (const look of lookers) look()
  }
  socket.on('data', (chunk) => {
    text += chunk.toString('latin1')
    changed()
  })
  socket.on('end', () => {
    by ??= 'end'
    changed()
  })
  socket.on('error', () => {
    by ??= 'reset'
    changed()
  })
  await new Promise<void>((resolve, reject) => {
    socket.once('connect', resolve)
    socket.once('error', reject)
  })
  const when = <T>(find: () => T | undefined): Promise<T> =>
    new Promise((resolve) => {
      const look = () => {
        const found = find()
        if (found === undefined) return
        lookers.delete(look)
        resolve(found)
      }
      lookers.add(look)
      look()
    })
  return {
    socket,
    received: () => text,
    send: (bytes) => void socket.write(bytes),
    endSending: () => void socket.end(),
    until: (pattern) => when(() => (pattern.test(text) ? text : undefined)),
    untilClosed: () => when(() => (by === undefined ? undefined : { text, by })),
  }
}

export interface RawAnswer {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

/** Splits received bytes into responses by `content-length`; `isHead` marks responses without a body. */
export function answersIn(text: string, isHead: (at: number) => boolean = () => false): readonly RawAnswer[] {
  const answers: RawAnswer[] = []
  let rest = text
  for (let end = rest.indexOf('\r\n\r\n'); end >= 0; end = rest.indexOf('\r\n\r\n')) {
    const [first = '', ...lines] = rest.slice(0, end).split('\r\n')
    const headers = Object.fromEntries(
      lines.map((line) => {
        const colon = line.indexOf(':')
        return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()]
      }),
    )
    const length = isHead(answers.length) ? 0 : Number(headers['content-length'] ?? 0)
    rest = rest.slice(end + 4)
    answers.push({ status: Number(first.split(' ')[1]), headers, body: rest.slice(0, length) })
    rest = rest.slice(length)
  }
  return answers
}

const KEY = 'X-API-KEY: sandbox_all\r\nX-Api-Version: 2.1\r\nHost: localhost\r\n'

/** The bytes of a request with the key that has every scope. */
export function requestText(method: string, path: string, body?: string, more = ''): string {
  const length =
    body === undefined
      ? ''
      : `Content-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}\r\n`
  return `${method} ${path} HTTP/1.1\r\n${KEY}${length}${more}\r\n${body ?? ''}`
}
