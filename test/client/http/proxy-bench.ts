import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { onTestFinished } from 'vitest'
import { openTransport } from '../../../src/client/http/transport.ts'
import type { HttpResponse, Transport } from '../../../src/client/http/transport-port.ts'
import { startConnectProxy } from './connect-proxy.ts'

export const fixture = (name: string): string =>
  fileURLToPath(new URL(`../../fixtures/tls/${name}`, import.meta.url))
export const TLS = {
  key: readFileSync(fixture('server-key.pem'), 'utf8'),
  cert: readFileSync(fixture('server.pem'), 'utf8'),
}
export const timeoutMs = 20_000

/** A command that sends a few requests and one that sends many use different HTTP clients. */
export const LOADS = [
  { kind: 'a few', connections: undefined },
  { kind: 'many', connections: 8 },
] as const

/** A CONNECT proxy that closes when the test ends. */
export const proxyTo: typeof startConnectProxy = async (to) => {
  const proxy = await startConnectProxy(to)
  onTestFinished(() => proxy.close())
  return proxy
}

interface ProxyBench {
  /** A transport with these environment variables that closes when the test ends. */
  readonly create: (env: Readonly<Record<string, string>>) => Promise<Transport>
  readonly sendThrough: (proxy: string, url?: string) => Promise<HttpResponse>
}

export function createProxyBench(connections: number | undefined): ProxyBench {
  const create = async (env: Readonly<Record<string, string>>) => {
    const transport = await openTransport({ env, monotonicMs: () => performance.now(), connections })
    onTestFinished(() => transport.close())
    return transport
  }
  return {
    create,
    sendThrough: async (proxy, url = 'http://api.example.test/payments') => {
      const transport = await create({ HTTP_PROXY: proxy, HTTPS_PROXY: proxy })
      return transport.send({ method: 'POST', url, headers: {}, body: '{}' }, { timeoutMs })
    },
  }
}
