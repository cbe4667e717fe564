import { isIPv4 } from 'node:net'

/**
 * Whether a host is this machine: `localhost`, `127.0.0.1` and its network, `::1` with or without brackets. Excludes `*.localhost`:
 * some resolvers send it elsewhere.
 */
export const isLoopback = (host: string): boolean =>
  host === 'localhost' || host === '::1' || host === '[::1]' || (host.startsWith('127.') && isIPv4(host))
