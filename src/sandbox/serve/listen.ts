import { once } from 'node:events'
import type { Server } from 'node:http'
import { UsageError } from '../../errors.ts'
import { BACKLOG } from './limits.ts'
import { systemCode } from '../../system-code.ts'

/**
 * Starts listening and returns the actual port.
 * @throws {UsageError} if it can't listen
 */
export async function listen(server: Server, host: string, port: number): Promise<number> {
  try {
    server.listen({ host, port, backlog: BACKLOG })
    await once(server, 'listening')
  } catch (error) {
    throw toListenError(error instanceof Error ? error : new Error(String(error)), host, port)
  }
  const address = server.address()
  return typeof address === 'object' && address !== null ? address.port : port
}

/** The URL at which this machine reaches a server that listens on `host`. */
export function urlOf(host: string, port: number): string {
  const reached = { '0.0.0.0': '127.0.0.1', '::': '::1', '': '127.0.0.1' }[host] ?? host
  return `http://${reached.includes(':') ? `[${reached}]` : reached}:${port}`
}

const REASONS: Readonly<Record<string, readonly [why: string, hint: string]>> = {
  EACCES: ['permission denied', 'Choose a port above 1023, or --port 0 for any free one.'],
  EADDRNOTAVAIL: [
    'this machine has no such address',
    'Leave out --host, or give an address of this machine.',
  ],
  ENOTFOUND: ['unknown host', 'Leave out --host, or give an address of this machine.'],
  EAI_AGAIN: ["the name can't be looked up", 'Leave out --host, or give an address of this machine.'],
  ERR_SOCKET_BAD_PORT: ['invalid port', 'Ports range from 1 to 65535; --port 0 takes any free one.'],
}

function toListenError(cause: Error, host: string, port: number): UsageError {
  const code = systemCode(cause) ?? ''
  if (code === 'EADDRINUSE')
    return new UsageError(`Port ${port} of ${host} is in use`, {
      code: 'port_in_use',
      hint: 'Choose another --port (0 takes any free one), or stop the program that uses it.',
      outcome: 'none',
      next: ['pay sandbox status'],
      cause,
    })
  const [why, hint] = REASONS[code] ?? [cause.message, 'Choose another --host or --port.']
  return new UsageError(`Cannot listen on port ${port} of ${host}: ${why}`, {
    code: 'cannot_listen',
    hint,
    outcome: 'none',
    cause,
  })
}
