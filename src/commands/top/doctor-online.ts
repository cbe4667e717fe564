import { probe } from '../../cli/probe.ts'
import type { Probed } from '../../cli/probe.ts'
import type { Context } from '../../cli/context.ts'
import type { Account } from '../../config/resolve.ts'
import type { Finding } from '../../views/doctor.ts'

/** Signatures and certificates allow no more; a Date header is whole seconds, and an answer takes its time. */
const MOST_SKEW_MS = 120_000

/** One read of the service: what it says to us and to our key, and what time it has. */
export async function onlineFindings(
  account: Account,
  context: Context,
  timeoutMs: number,
): Promise<readonly Finding[]> {
  if (account.kind === 'sandbox') return []
  const probed = await probe(context, account, timeoutMs)
  if (probed.kind === 'failure') return [unreached(probed)]
  return [answered(probed.status), clock(probed.aheadMs)]
}

const REMEDIES: Readonly<Partial<Record<Extract<Probed, { kind: 'failure' }>['reason'], string>>> = {
  dns: 'Check the base URL and the name server: pay whoami',
  refused: 'Check the base URL and its port: pay whoami',
  unreachable: 'Check the network, and whether a proxy is needed (HTTPS_PROXY)',
  'connect-timeout': 'Check the network, a firewall, and whether a proxy is needed (HTTPS_PROXY)',
  timeout: 'The service takes long; --timeout waits longer',
  tls: 'Name the certificate of your network in NODE_EXTRA_CA_CERTS, and check the clock of this machine',
  proxy: 'Check HTTPS_PROXY and NO_PROXY',
}

const unreached = ({ reason, says }: Extract<Probed, { kind: 'failure' }>): Finding => ({
  check: 'service',
  status: 'problem',
  says: `not reached: ${says}`,
  remedy:
    REMEDIES[reason] ?? 'Try it again, with --debug for the details of a call: pay payment list --debug',
})

function answered(status: number): Finding {
  const check = 'service'
  const says = `answers ${status}`
  if (status < 300) return { check, status: 'ok', says: `${says}, and takes the key` }
  if (status < 400)
    return {
      check,
      status: 'problem',
      says: `${says}: it is somewhere else`,
      remedy: 'Redirects are never followed: correct the base URL',
    }
  if (status === 401)
    return {
      check,
      status: 'problem',
      says: `${says}: the key was refused`,
      remedy: 'Store another one: pay profile set NAME --api-key-stdin',
    }
  if (status === 403)
    return {
      check,
      status: 'warning',
      says: `${says}: the key may not list payments`,
      remedy: 'It may be allowed other things; its scopes are given where it was made',
    }
  if (status === 404)
    return {
      check,
      status: 'warning',
      says: `${says}: there is no list of payments there`,
      remedy: 'Check the path of the base URL: pay whoami',
    }
  return status < 500
    ? { check, status: 'warning', says, remedy: 'pay payment list tells what it says' }
    : { check, status: 'warning', says: `${says}: it is not well`, remedy: 'Try it again later' }
}

function clock(aheadMs: number | undefined): Finding {
  const check = 'clock'
  if (aheadMs === undefined)
    return { check, status: 'skipped', says: 'the service does not say what time it has' }
  const seconds = Math.round(Math.abs(aheadMs) / 1000)
  const way = aheadMs > 0 ? 'behind' : 'ahead of'
  return Math.abs(aheadMs) <= MOST_SKEW_MS
    ? { check, status: 'ok', says: 'as that of the service' }
    : {
        check,
        status: 'warning',
        says: `this machine is ${seconds} s ${way} the service`,
        remedy:
          'Set the clock, as with NTP: what is told by time (repeats, tickets, the ledger) goes wrong with it',
      }
}
