import { randomUUID } from 'node:crypto'
import { Agent, request } from 'node:http'
import type { IncomingHttpHeaders } from 'node:http'
import { onTestFinished } from 'vitest'
import type { ServiceResponse } from '../../../src/sandbox/answers/response.ts'
import type { ServiceRequest } from '../../../src/sandbox/request/service-request.ts'
import type { IdempotencyStyle } from '../../../src/sandbox/pipeline/process-request.ts'
import { openSandbox } from '../../../src/sandbox/sandbox.ts'
import type { RequestHandler } from '../../../src/sandbox/serve/exchange.ts'
import { startServer } from '../../../src/sandbox/serve/server.ts'
import type { RunningServer, ServerOptions } from '../../../src/sandbox/serve/server.ts'
import { newFolder, NOW, seededRandom, serviceOver } from '../service.ts'
import type { Service } from '../service.ts'

export interface Served extends Service {
  readonly server: RunningServer
}

export interface Opening {
  readonly folder?: string
  readonly seed?: number
  readonly now?: () => Date
  readonly idempotency?: IdempotencyStyle
}

/** A test's own server, on a free port. */
export async function serve(
  sandbox: RequestHandler,
  options: Partial<ServerOptions> = {},
): Promise<RunningServer> {
  const server = await startServer({
    sandbox,
    host: '127.0.0.1',
    port: 0,
    now: () => NOW,
    newId: randomUUID,
    pid: 4711,
    ...options,
  })
  onTestFinished(() => server.close())
  return server
}

/** Like `openService`, but over a real port with plain node:http and keep-alive connections. */
export async function openServed(
  options: Partial<ServerOptions> = {},
  { folder = newFolder(), seed = 1, now = () => NOW, idempotency = 'reject' }: Opening = {},
): Promise<Served> {
  const sandbox = await openSandbox({ folder, now, random: seededRandom(seed), idempotency })
  onTestFinished(() => sandbox.close())
  const server = await serve(sandbox, options)
  const agent = new Agent({ keepAlive: true })
  onTestFinished(() => agent.destroy())
  return { server, ...serviceOver(sandbox, folder, (asked) => send(server.url, asked, agent)) }
}

const pathOf = ({ pathname, search }: URL) => `${pathname}${search}`

/** Sends one request with node:http. Rejects if the response is incomplete. */
export function send(base: string, asked: ServiceRequest, agent?: Agent): Promise<ServiceResponse> {
  const { method, body } = asked
  // As it is: a URL object would read `//host/path` as another host.
  const path = asked.url.startsWith('/') ? asked.url : pathOf(new URL(asked.url, base))
  const length = body === undefined ? {} : { 'content-length': Buffer.byteLength(body) }
  return new Promise((resolve, reject) => {
    const options = { method, path, headers: { ...asked.headers, ...length }, agent }
    const asking = request(base, options, (response) => {
      let text = ''
      response.setEncoding('utf8')
      response.on('data', (chunk: string) => {
        text += chunk
      })
      response.on('error', reject)
      response.on('end', () =>
        resolve({ status: response.statusCode ?? 0, headers: joined(response.headers), body: text }),
      )
    })
    asking.on('error', reject)
    asking.end(body)
  })
}

const joined = (headers: IncomingHttpHeaders): Record<string, string> =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value ?? '')]))
