import * as http from 'node:http'
import * as https from 'node:https'
import type { Socket } from 'node:net'
import { readProxy } from './proxy.ts'
import { TransportFailure } from './transport-port.ts'

interface TunnelOptions {
  /** As the environment names it: a URL, or host and port alone. May hold credentials: never part of an error. */
  readonly proxy: string
  readonly target: URL
  readonly timeoutMs: number
  readonly opening: Opening
}

/** What is being connected at the moment, so that it can be ended from outside. */
export type Opening = Set<{ destroy(error?: Error): unknown }>

/**
 * A connection to the target through an HTTP proxy (CONNECT, RFC 9110, 9.3.6).
 * Its request goes to the proxy alone: whatever fails here, the target has been sent nothing.
 */
export async function openTunnel({ proxy, target, timeoutMs, opening }: TunnelOptions): Promise<Socket> {
  const url = proxyUrl(proxy)
  const place = hostAndPort(target)
  const credentials = credentialsOf(url)
  const request = (url.protocol === 'https:' ? https : http).request({
    method: 'CONNECT',
    host: url.hostname.replace(/^\[(.*)\]$/, '$1'),
    port: url.port,
    path: place,
    agent: false,
    headers: {
      host: place,
      'proxy-connection': 'keep-alive',
      ...(credentials === undefined ? {} : { 'proxy-authorization': credentials }),
    },
  })
  opening.add(request)
  return new Promise<Socket>((resolve, reject) => {
    const end = () => {
      clearTimeout(timer)
      opening.delete(request)
    }
    const timer = setTimeout(() => {
      end()
      reject(proxyFailure(`does not answer in ${timeoutMs / 1000} s`))
      request.destroy()
    }, timeoutMs)
    // Not once: what comes after the end, as when it is destroyed, would end the process.
    request.on('error', (cause) => {
      end()
      reject(proxyFailure(errorWords(cause), cause))
    })
    request.once('connect', (answer, socket, head) => {
      end()
      const status = answer.statusCode ?? 0
      if (status >= 200 && status < 300) {
        if (head.length > 0) socket.unshift(head)
        resolve(socket)
        return
      }
      socket.destroy()
      reject(proxyFailure(refusalWords(status, credentials !== undefined)))
    })
    request.end()
  })
}

function proxyUrl(proxy: string): URL {
  const url = readProxy(proxy)
  if (url === undefined) throw proxyFailure('is not a URL')
  if (url.protocol !== 'http:' && url.protocol !== 'https:')
    throw proxyFailure(`has the scheme ${url.protocol.slice(0, -1)}: only http and https are possible`)
  return url
}

function credentialsOf(url: URL): string | undefined {
  if (url.username === '' && url.password === '') return undefined
  const pair = `${unescape(url.username)}:${unescape(url.password)}`
  return `Basic ${Buffer.from(pair).toString('base64')}`
}

/** A password with a bare % in it is taken as it is. */
function unescape(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

const hostAndPort = (url: URL): string =>
  url.port === '' ? `${url.hostname}:${url.protocol === 'https:' ? 443 : 80}` : url.host

/** The other side's words and the proxy's address stay out: both may hold what should not be shown. */
const errorWords = (cause: Error): string =>
  `could not be used${'code' in cause && typeof cause.code === 'string' ? ` (${cause.code})` : ''}`

function refusalWords(status: number, hadCredentials: boolean): string {
  if (status !== 407) return `refused the connection (${status})`
  return hadCredentials
    ? 'refused the user name and password in its URL (407)'
    : 'asks for a user name and password (407)'
}

const proxyFailure = (words: string, cause?: unknown): TransportFailure =>
  new TransportFailure('proxy', false, `the proxy that the environment names ${words}`, { cause })
