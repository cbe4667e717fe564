import type { ServerResponse } from 'node:http'
import type { Change, ChangeFeed, ChangeListener } from '../log/change-feed.ts'
import { Problem } from '../problem.ts'
import type { Connection } from './connection.ts'
import { DATA_HEADERS } from './page-headers.ts'
import { MAX_LISTENERS } from './limits.ts'

/** The response to a request for events: a stream instead of a body. */
export interface EventStream {
  readonly status: 200
  readonly headers: Readonly<Record<string, string>>
  /** Where to resume; undefined for the present. */
  readonly after: string | undefined
}

/** Server-Sent Events to several clients at the same time. */
export interface EventStreams {
  /** @throws {Problem} `SandboxUnavailable` if too many clients listen already */
  respond(requestId: string, after: string | undefined): EventStream
  start(connection: Connection, response: ServerResponse, stream: EventStream): void
  /** Ends every stream, including those that are requested later. */
  close(): void
}

export function eventStreams(
  feed: ChangeFeed,
  { pingMs, onFailure }: { readonly pingMs: number; readonly onFailure: (error: unknown) => void },
): EventStreams {
  const open = new Set<ServerResponse>()
  let isClosed = false
  let pings: NodeJS.Timeout | undefined

  /** Sends what happened, as fast as the client reads. What waits stays in the database, not in memory. */
  function pump(response: ServerResponse, listener: ChangeListener): void {
    try {
      while (!response.writableNeedDrain && !response.destroyed) {
        const change = listener.next()
        if (change === undefined) return
        response.write(formatChange(change))
      }
    } catch (error) {
      // The client asks again, and then gets the reason.
      onFailure(error)
      response.destroy()
    }
  }

  function begin(connection: Connection, response: ServerResponse, stream: EventStream): void {
    connection.isEnding = true
    response.writeHead(stream.status, [
      ...Object.entries(stream.headers).flat(),
      ...DATA_HEADERS,
      'connection',
      'close',
    ])
    if (response.req.method === 'HEAD' || isClosed || connection.socket.readableEnded)
      return void response.end()
    response.flushHeaders()
    let listener: ChangeListener | undefined
    const resume = () => {
      if (listener !== undefined) pump(response, listener)
    }
    try {
      listener = feed.listen(stream.after, resume)
    } catch (error) {
      onFailure(error)
      return void response.destroy()
    }
    open.add(response)
    pings ??= setInterval(ping, pingMs).unref()
    // A client that is gone is noticed at once, not at the next ping.
    connection.socket.on('end', () => response.end())
    response.on('drain', resume)
    response.on('close', () => {
      listener?.close()
      open.delete(response)
      if (open.size > 0) return
      clearInterval(pings)
      pings = undefined
    })
    resume()
  }

  /** Shows both sides that the other one is there. A client that doesn't read gets none, and its connection times out. */
  function ping(): void {
    for (const response of open) if (!response.writableNeedDrain) response.write(': ping\n\n')
  }

  return {
    respond: (requestId, after) => {
      if (open.size >= MAX_LISTENERS)
        throw new Problem('SandboxUnavailable', `${MAX_LISTENERS} clients are listening already.`, {
          recoverySuggestion: 'Close some pages of the dashboard.',
        })
      return {
        status: 200,
        headers: {
          'content-type': 'text/event-stream; charset=utf-8',
          'cache-control': 'no-store',
          'x-request-id': requestId,
        },
        after,
      }
    },
    start: begin,
    close: () => {
      isClosed = true
      for (const response of open) {
        if (response.writableNeedDrain) response.destroy()
        else response.end()
      }
    },
  }
}

function formatChange(change: Change): string {
  const data = change.kind === 'requests' ? change.entries : {}
  return `id: ${change.position}\nevent: ${change.kind}\ndata: ${JSON.stringify(data)}\n\n`
}
