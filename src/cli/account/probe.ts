import { listPayments } from '../../api/operations/payment.ts'
import { targetOf } from '../command/request-target.ts'
import type { Account } from '../../client/config/resolve-account.ts'
import { buildRequest } from '../../client/calls/build.ts'
import { proxyFor, readProxy } from '../../client/http/proxy.ts'
import { TransportFailure } from '../../client/http/transport-port.ts'
import type { FailureReason } from '../../client/http/transport-port.ts'
import type { Context } from '../command/context.ts'

export type ProbeResult =
  | {
      readonly kind: 'answer'
      readonly status: number
      /** How far the service's clock is ahead of ours, to the second; undefined without a Date header. */
      readonly aheadMs: number | undefined
    }
  | { readonly kind: 'failure'; readonly reason: FailureReason; readonly message: string }

/** Reads from the service once, without retries, to check the connection, the API key and the clock. */
export async function probe(context: Context, account: Account, timeoutMs: number): Promise<ProbeResult> {
  const transport = await context.connect(account)
  try {
    const request = buildRequest(listPayments, {
      ...targetOf(account, context),
      params: {},
      query: { limit: '1' },
      body: undefined,
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
      return { kind: 'failure', reason: error.reason, message: error.message }
    throw error
  } finally {
    await transport.close()
  }
}

export type ProxyLookup =
  | { readonly kind: 'none' | 'unreadable' }
  | { readonly kind: 'proxy'; readonly address: string }

/** The proxy used for a URL: only its scheme, host and port, since the rest may contain a password. */
export function findProxy(url: string, env: Context['env']): ProxyLookup {
  const proxy = proxyFor(new URL(url), env)
  if (proxy === undefined) return { kind: 'none' }
  const parsed = readProxy(proxy)
  // If an @ follows, the text before it is user and password, and what parsed as the host is part of them.
  if (parsed === undefined || `${parsed.pathname}${parsed.search}${parsed.hash}`.includes('@'))
    return { kind: 'unreadable' }
  return { kind: 'proxy', address: `${parsed.protocol}//${parsed.host}` }
}
