import { createServer, request } from 'node:http'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { onTestFinished } from 'vitest'

/** When to kill the sender of a request: the service has it, has handled it, or has sent the response. */
export type Moment = 'arrived' | 'handled' | 'responded'

export interface Relay {
  readonly url: string
}

/**
 * Relays requests between the program and the service and reports these moments of each write, at which a test kills the
 * program.
 */
export async function startRelay(
  target: string,
  onMoment: (moment: Moment, body: string, path: string) => void,
): Promise<Relay> {
  const server = createServer((incoming, outgoing) => {
    void relay(target, incoming, outgoing, onMoment).catch(() => outgoing.destroy())
  })
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve)
  })
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('no port')
  return { url: `http://127.0.0.1:${address.port}` }
}

async function relay(
  target: string,
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  onMoment: (moment: Moment, body: string, path: string) => void,
): Promise<void> {
  const { url = '', method = 'GET', headers } = incoming
  const body = await textOf(incoming)
  const report = (moment: Moment) => {
    if (method !== 'GET') onMoment(moment, body, url)
  }
  report('arrived')
  // The service gets the request even if its sender is dead by now.
  const answer = await exchange(new URL(url, target), method, headers, body)
  report('handled')
  outgoing
    .writeHead(answer.status, { 'content-type': 'application/json' })
    .end(answer.text, () => report('responded'))
}

/** Sends a request that was received, on a connection of its own. */
export function exchange(
  url: URL,
  method: string,
  headers: IncomingMessage['headers'],
  body: string,
): Promise<{ readonly status: number; readonly text: string }> {
  return new Promise((resolve, reject) => {
    const sent = request(url, { method, headers: { ...headers, host: url.host }, agent: false })
    sent.on('error', reject)
    sent.on('response', (answer) => {
      textOf(answer).then((text) => resolve({ status: answer.statusCode ?? 0, text }), reject)
    })
    sent.end(body)
  })
}

/** The whole body; rejects if it was cut. */
export async function textOf(stream: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of stream) if (Buffer.isBuffer(chunk)) chunks.push(chunk)
  if (!stream.complete) throw new Error('the request was cut')
  return Buffer.concat(chunks).toString('utf8')
}
