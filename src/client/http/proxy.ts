import { BlockList, isIP } from 'node:net'
import { isLoopback } from '../../text/loopback.ts'

type Environment = Readonly<Record<string, string | undefined>>

/**
 * The proxy that the environment names for a URL, exactly as written, or undefined for a direct connection. Follows curl:
 * the lower-case name wins; `NO_PROXY` lists hosts (with their subdomains), networks or `*`. Never proxies a loopback
 * address, which would mean the proxy's own machine.
 */
export function proxyFor(url: URL, environment: Environment): string | undefined {
  const name = url.protocol === 'https:' ? 'https_proxy' : 'http_proxy'
  const proxy = readVariable(environment, name)
  const host = withoutBrackets(url.hostname)
  if (proxy === undefined || isLoopback(host) || host.endsWith('.localhost')) return undefined
  const exceptions = (readVariable(environment, 'no_proxy') ?? '')
    .split(/[\s,]+/)
    .filter((entry) => entry !== '')
  return exceptions.some((entry) => isExcepted(url, entry)) ? undefined : proxy
}

/** Parses a proxy as written: a URL, or only host and port, with an optional user. undefined when it is not a URL. */
export function readProxy(proxy: string): URL | undefined {
  const text = /^[a-z][a-z\d+.-]*:\/\//i.test(proxy) ? proxy : `http://${proxy}`
  const url = URL.canParse(text) ? new URL(text) : undefined
  return url?.hostname === '' ? undefined : url
}

function readVariable(environment: Environment, name: string): string | undefined {
  const value = environment[name] || environment[name.toUpperCase()]
  return value === undefined || value.trim() === '' ? undefined : value.trim()
}

function isExcepted(url: URL, entry: string): boolean {
  if (entry === '*') return true
  const host = withoutBrackets(url.hostname)
  if (entry.includes('/')) return isInNetwork(host, entry)
  const { name, port } = splitPort(entry.toLowerCase())
  if (port !== undefined && port !== (url.port || (url.protocol === 'https:' ? '443' : '80'))) return false
  const domain = withoutBrackets(name.replace(/^\*?\./, ''))
  return host === domain || (isIP(host) === 0 && host.endsWith(`.${domain}`))
}

function splitPort(entry: string): { readonly name: string; readonly port: string | undefined } {
  // An IPv6 address contains colons itself; a port follows it only after brackets.
  const found = isIP(entry) === 6 ? null : /^(?<name>.+):(?<port>\d+)$/.exec(entry)
  return { name: found?.groups?.['name'] ?? entry, port: found?.groups?.['port'] }
}

function isInNetwork(host: string, entry: string): boolean {
  const [address = '', prefix = ''] = entry.split('/')
  const family = isIP(withoutBrackets(address))
  const bits = Number(prefix)
  if (family === 0 || family !== isIP(host) || !/^\d+$/.test(prefix) || bits > (family === 4 ? 32 : 128))
    return false
  const type = family === 4 ? 'ipv4' : 'ipv6'
  const network = new BlockList()
  network.addSubnet(withoutBrackets(address), bits, type)
  return network.check(host, type)
}

/** Without the brackets of an IPv6 address and the dot of an absolute name. */
const withoutBrackets = (host: string): string => host.replace(/^\[(.*)\]$/, '$1').replace(/\.$/, '')
