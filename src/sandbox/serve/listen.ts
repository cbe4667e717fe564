import { once } from 'node:events'
import type { Server } from 'node:http'
import { UsageError } from '../../errors.ts'
import { BACKLOG } from './limits.ts'
import { systemCode } from '../../system-code.ts'

/** Begins to listen and tells the port that it got. */
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

/** Where this machine reaches a server that listens on `host`. */
export function urlOf(host: string, port: number): string {
  const reached = { '0.0.0.0': '127.0.0.1', '::': '::1', '': '127.0.0.1' }[host] ?? host
  return `http://${reached.includes(':') ? `[${reached}]` : reached}:${port}`
}

const REASONS: Readonly<Record<string, readonly [why: string, hint: string]>> = {
  EACCES: ['this user may not', 'Choose a port from 1024 up, or --port 0 for one that is free.'],
  EADDRNOTAVAIL: [
    'it is no address of this machine',
    'Leave --host out, or give an address that this machine has.',
  ],
  ENOTFOUND: ['there is no such host', 'Leave --host out, or give an address that this machine has.'],
  EAI_AGAIN: ['the name cannot be looked up', 'Leave --host out, or give an address that this machine has.'],
  ERR_SOCKET_BAD_PORT: [
    'there is no such port',
    'Ports go from 1 to 65535; --port 0 takes one that is free.',
  ],
}

function toListenError(cause: Error, host: string, port: number): UsageError {
  const code = systemCode(cause) ?? ''
  if (code === 'EADDRINUSE')
    return new UsageError(`Port ${port} of ${host} is in use`, {
      code: 'port_in_use',
      hint: 'Choose another --port (0 takes one that is free), or end what uses it.',
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
