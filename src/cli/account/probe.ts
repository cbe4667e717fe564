import { listPayments } from '../../api/operations/payment.ts'
import type { Account } from '../../config/resolve-account.ts'
import { buildRequest } from '../../calls/build.ts'
import { proxyFor, readProxy } from '../../http/proxy.ts'
import { TransportFailure } from '../../http/transport-port.ts'
import type { FailureReason } from '../../http/transport-port.ts'
import type { Context } from '../command/context.ts'

export type Probed =
  | {
      readonly kind: 'answer'
      readonly status: number
      /** What the service's clock showed, by its Date header, less what ours showed then; whole seconds are all it tells. */
      readonly aheadMs: number | undefined
    }
  | { readonly kind: 'failure'; readonly reason: FailureReason; readonly says: string }

/** One read of the service, once, without retries: whether it is reached, what it says to the key, and what time it has. */
export async function probe(context: Context, account: Account, timeoutMs: number): Promise<Probed> {
  const transport = await context.connect(account)
  try {
    const request = buildRequest(listPayments, {
      baseUrl: account.baseUrl.value,
      params: {},
      query: { limit: '1' },
      body: undefined,
      apiKey: account.apiKey?.value ?? '',
      apiVersion: account.apiVersion.value,
      userAgent: context.userAgent,
    })
    const begunMs = context.now().getTime()
    const { status, headers } = await transport.send(request, {
      timeoutMs,
      signal: context.interruption.stop,
    })
    const ourMs = (begunMs + context.now().getTime()) / 2
    const theirMs = Date.parse(headers['date'] ?? '')
    return { kind: 'answer', status, aheadMs: Number.isNaN(theirMs) ? undefined : theirMs - ourMs }
  } catch (error) {
    if (error instanceof TransportFailure)
      return { kind: 'failure', reason: error.reason, says: error.message }
    throw error
  } finally {
    await transport.close()
  }
}

export type ProxyTo =
  | { readonly kind: 'none' | 'unreadable' }
  | { readonly kind: 'proxy'; readonly at: string }

/** The proxy that stands between: scheme, host and port of it alone, since the rest may be a password. */
export function proxyTo(url: string, env: Context['env']): ProxyTo {
  const proxy = proxyFor(new URL(url), env)
  if (proxy === undefined) return { kind: 'none' }
  const read = readProxy(proxy)
  // With an @ further on, what reads as the host is the beginning of user and password.
  if (read === undefined || `${read.pathname}${read.search}${read.hash}`.includes('@'))
    return { kind: 'unreadable' }
  return { kind: 'proxy', at: `${read.protocol}//${read.host}` }
}
