import { request } from 'node:http'
import type { IncomingMessage } from 'node:http'
import { expect, onTestFinished } from 'vitest'

export interface ReceivedEvent {
  readonly id: string
  readonly event: string
  readonly data: unknown
}

/** A client of `GET /sandbox/events` that records what it receives. */
export interface EventClient {
  readonly response: IncomingMessage
  readonly events: readonly ReceivedEvent[]
  /** The raw text so far. */
  readonly text: () => string
  /** The paths of all requests that it was notified of, in order. */
  readonly paths: () => readonly string[]
  readonly lastId: () => string | undefined
  /** Resolves once the connection is closed. */
  readonly closed: Promise<void>
  close(): void
}

interface ListenOptions {
  readonly after?: string | undefined
  readonly key?: string
}

/** Connects, and resolves with the first bytes of the response. */
export async function listenTo(
  url: string,
  { after, key = 'sandbox_all' }: ListenOptions = {},
): Promise<EventClient> {
  const events: ReceivedEvent[] = []
  let text = ''
  let rest = ''
  const sending = request(`${url}/sandbox/events`, {
    agent: false,
    headers: { 'x-api-key': key, ...(after === undefined ? {} : { 'last-event-id': after }) },
  })
  onTestFinished(() => void sending.destroy())
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    sending.on('response', resolve)
    sending.on('error', reject)
    sending.end()
  })
  response.setEncoding('utf8').on('data', (chunk: string) => {
    text += chunk
    const blocks = (rest + chunk).split('\n\n')
    rest = blocks.pop() ?? ''
    events.push(...blocks.flatMap(parseBlock))
  })
  const closed = new Promise<void>((resolve) => {
    response.on('error', () => undefined)
    response.on('close', resolve)
  })
  return {
    response,
    events,
    text: () => text,
    paths: () =>
      events.flatMap(({ event, data }) =>
        event === 'requests' && Array.isArray(data) ? data.map(({ path }) => path) : [],
      ),
    lastId: () => events.at(-1)?.id,
    closed,
    close: () => void sending.destroy(),
  }
}

/** Connects, and resolves once the server has sent the client's position. */
export async function listening(url: string, options: ListenOptions = {}): Promise<EventClient> {
  const client = await listenTo(url, options)
  await expect.poll(() => client.events).not.toHaveLength(0)
  return client
}

function parseBlock(block: string): readonly ReceivedEvent[] {
  const fields = Object.fromEntries(
    block.split('\n').map((line) => {
      const colon = line.indexOf(': ')
      return [line.slice(0, colon), line.slice(colon + 2)]
    }),
  )
  return fields['event'] === undefined
    ? []
    : [{ id: fields['id'] ?? '', event: fields['event'], data: JSON.parse(fields['data'] ?? 'null') }]
}
