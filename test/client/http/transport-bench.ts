import { onTestFinished } from 'vitest'
import type {
  HttpRequest,
  HttpResponse,
  SendOptions,
  Transport,
  TransportFailure,
} from '../../../src/client/http/transport-port.ts'
import { startRawServer } from '../../support/raw-server.ts'
import { startScriptedServer } from '../../support/scripted-server.ts'
import type { Scripted, ScriptedServer } from '../../support/scripted-server.ts'
import { failureOf } from '../../support/transports.ts'

export const MEGABYTE = 1024 * 1024

/** A scripted server that closes when the test ends. */
export async function serve(...args: Parameters<typeof startScriptedServer>): Promise<ScriptedServer> {
  const server = await startScriptedServer(...args)
  onTestFinished(() => server.close())
  return server
}

/** A raw server that closes when the test ends. */
export async function serveRaw(
  ...args: Parameters<typeof startRawServer>
): ReturnType<typeof startRawServer> {
  const server = await startRawServer(...args)
  onTestFinished(() => server.close())
  return server
}

/** Closes the transport when the test ends. */
export function closeAfterTest(transport: Transport): Transport {
  onTestFinished(() => transport.close())
  return transport
}

export const post = (url: string, body: string | undefined = '{}'): HttpRequest => ({
  method: 'POST',
  url,
  headers: { 'content-type': 'application/json' },
  body,
})
export const get = (url: string): HttpRequest => ({ method: 'GET', url, headers: {}, body: undefined })

interface TransportBench {
  readonly open: (connections?: number) => Transport
  /** Sends one request over a new transport. */
  readonly send: (request: HttpRequest, options?: Partial<SendOptions>) => Promise<HttpResponse>
  /** The response to a POST that the server answers with `scripted`. */
  readonly responseTo: (scripted: Scripted) => Promise<HttpResponse>
  readonly failureOn: (scripted: Scripted) => Promise<TransportFailure>
}

export function createTransportBench(create: (connections?: number) => Transport): TransportBench {
  const open = (connections = 1) => closeAfterTest(create(connections))
  const send = (request: HttpRequest, options: Partial<SendOptions> = {}) =>
    open().send(request, { timeoutMs: 20_000, ...options })
  const responseTo = async (scripted: Scripted) => send(post((await serve([scripted])).url))
  return { open, send, responseTo, failureOn: (scripted) => failureOf(responseTo(scripted)) }
}
