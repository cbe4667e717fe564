import { probe } from '../../../cli/account/probe.ts'
import type { ProbeResult } from '../../../cli/account/probe.ts'
import { saysNothingOfEffect } from '../../../client/calls/retry.ts'
import type { Context } from '../../../cli/command/context.ts'
import type { Account } from '../../../client/config/resolve-account.ts'
import type { CheckResult } from '../../../views/top/doctor.ts'
import { isLoopback } from '../../../text/loopback.ts'
import { ok, problem, warning } from './check-result.ts'

/** Leaves room for a Date header in whole seconds and the time a response takes. */
const MOST_SKEW_MS = 120_000

/** Reads once from the service: whether it can be reached and accepts the key, and whether the clocks agree. */
export async function checkService(
  account: Account,
  context: Context,
  timeoutMs: number,
): Promise<readonly CheckResult[]> {
  if (account.kind === 'sandbox') return []
  const probed = await probe(context, account, timeoutMs)
  if (probed.kind === 'failure') return [notReached(probed)]
  return [answered(probed.status), clock(probed.aheadMs, isLoopback(new URL(account.baseUrl.value).hostname))]
}

const REMEDIES: Readonly<Partial<Record<Extract<ProbeResult, { kind: 'failure' }>['reason'], string>>> = {
  dns: 'Check the base URL (pay whoami) and the DNS server',
  refused: 'Check the base URL and its port: pay whoami',
  unreachable: 'Check the network, and whether it needs a proxy (HTTPS_PROXY)',
  'connect-timeout': 'Check the network and its firewall, and whether it needs a proxy (HTTPS_PROXY)',
  timeout: 'The service is slow. To wait longer, use --timeout',
  tls: "Point NODE_EXTRA_CA_CERTS at your network's certificate, and check this machine's clock",
  proxy: 'Check HTTPS_PROXY and NO_PROXY',
}

const notReached = ({ reason, message: summary }: Extract<ProbeResult, { kind: 'failure' }>): CheckResult =>
  problem('service', `not reached: ${summary}`, {
    remedy: REMEDIES[reason] ?? 'Try a call with --debug to see its details: pay payment list --debug',
  })

function answered(status: number): CheckResult {
  const check = 'service'
  const says = `responds with ${status}`
  if (status < 300) return ok(check, `${says}, and accepts the key`)
  if (saysNothingOfEffect(status))
    return warning(check, `${says}: the service has a problem`, { remedy: 'Try again later' })
  if (status < 400)
    return problem(check, `${says}: it has moved`, {
      remedy: 'pay never follows redirects: correct the base URL',
    })
  switch (status) {
    case 401:
      return problem(check, `${says}: the key was refused`, {
        remedy: 'Store another key: pay profile set NAME --api-key-stdin',
      })
    case 403:
      return warning(check, `${says}: the key may not list payments`, {
        remedy: "The key may still allow other operations: check its scopes in your account's settings",
      })
    case 404:
      return warning(check, `${says}: this address has no list of payments`, {
        remedy: 'Check the path of the base URL: pay whoami',
      })
    default:
      return warning(check, says, { remedy: 'To see the whole response, run pay payment list' })
  }
}

function clock(aheadMs: number | undefined, isLocal: boolean): CheckResult {
  const check = 'clock'
  if (aheadMs === undefined) return { check, status: 'skipped', says: 'the service did not send its time' }
  if (Math.abs(aheadMs) <= MOST_SKEW_MS) return ok(check, 'agrees with the service')
  const seconds = Math.round(Math.abs(aheadMs) / 1000)
  const way = aheadMs > 0 ? 'behind' : 'ahead of'
  return warning(check, `this machine is ${seconds} s ${way} the service`, {
    remedy: isLocal
      ? 'A service on this machine has the same clock, unless it is a sandbox: pay sandbox clock show'
      : 'Set the clock, for example with NTP: repeats, tickets and the ledger depend on it',
  })
}
