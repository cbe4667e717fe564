import { probe } from '../../../cli/account/probe.ts'
import type { ProbeResult } from '../../../cli/account/probe.ts'
import type { Context } from '../../../cli/command/context.ts'
import type { Account } from '../../../config/resolve-account.ts'
import type { CheckResult } from '../../../views/top/doctor.ts'
import { ok, problem, warning } from './finding.ts'

/** Signatures and certificates allow no more; a Date header is whole seconds, and an answer takes its time. */
const MOST_SKEW_MS = 120_000

/** One read of the service: what it says to us and to our key, and what time it has. */
export async function onlineFindings(
  account: Account,
  context: Context,
  timeoutMs: number,
): Promise<readonly CheckResult[]> {
  if (account.kind === 'sandbox') return []
  const probed = await probe(context, account, timeoutMs)
  if (probed.kind === 'failure') return [unreached(probed)]
  return [answered(probed.status), clock(probed.aheadMs)]
}

const REMEDIES: Readonly<Partial<Record<Extract<ProbeResult, { kind: 'failure' }>['reason'], string>>> = {
  dns: 'Check the base URL and the name server: pay whoami',
  refused: 'Check the base URL and its port: pay whoami',
  unreachable: 'Check the network, and whether a proxy is needed (HTTPS_PROXY)',
  'connect-timeout': 'Check the network, a firewall, and whether a proxy is needed (HTTPS_PROXY)',
  timeout: 'The service takes long; --timeout waits longer',
  tls: 'Name the certificate of your network in NODE_EXTRA_CA_CERTS, and check the clock of this machine',
  proxy: 'Check HTTPS_PROXY and NO_PROXY',
}

const unreached = ({ reason, says }: Extract<ProbeResult, { kind: 'failure' }>): CheckResult =>
  problem('service', `not reached: ${says}`, {
    remedy:
      REMEDIES[reason] ?? 'Try it again, with --debug for the details of a call: pay payment list --debug',
  })

function answered(status: number): CheckResult {
  const check = 'service'
  const says = `answers ${status}`
  if (status < 300) return ok(check, `${says}, and takes the key`)
  if (status < 400)
    return problem(check, `${says}: it is somewhere else`, {
      remedy: 'Redirects are never followed: correct the base URL',
    })
  switch (status) {
    case 401:
      return problem(check, `${says}: the key was refused`, {
        remedy: 'Store another one: pay profile set NAME --api-key-stdin',
      })
    case 403:
      return warning(check, `${says}: the key may not list payments`, {
        remedy: 'It may be allowed other things; its scopes are given where it was made',
      })
    case 404:
      return warning(check, `${says}: there is no list of payments there`, {
        remedy: 'Check the path of the base URL: pay whoami',
      })
    default:
      return status < 500
        ? warning(check, says, { remedy: 'pay payment list tells what it says' })
        : warning(check, `${says}: it is not well`, { remedy: 'Try it again later' })
  }
}

function clock(aheadMs: number | undefined): CheckResult {
  const check = 'clock'
  if (aheadMs === undefined)
    return { check, status: 'skipped', says: 'the service does not say what time it has' }
  if (Math.abs(aheadMs) <= MOST_SKEW_MS) return ok(check, 'as that of the service')
  const seconds = Math.round(Math.abs(aheadMs) / 1000)
  const way = aheadMs > 0 ? 'behind' : 'ahead of'
  return warning(check, `this machine is ${seconds} s ${way} the service`, {
    remedy:
      'Set the clock, as with NTP: what is told by time (repeats, tickets, the ledger) goes wrong with it',
  })
}
