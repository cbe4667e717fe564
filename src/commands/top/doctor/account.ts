import type { Context } from '../../../cli/command/context.ts'
import { findProxy } from '../../../cli/account/probe.ts'
import type { ProxyLookup } from '../../../cli/account/probe.ts'
import type { Account } from '../../../client/config/resolve-account.ts'
import { PayError } from '../../../errors.ts'
import type { CheckResult } from '../../../views/top/doctor.ts'
import { failed, ok, problem, warning } from './check-result.ts'

/** The account in use, where its key comes from, and whether it moves real money. Never shows the key. */
export function checkAccount(account: Account): readonly CheckResult[] {
  const { kind, profile, mode, baseUrl, apiKey } = account
  const name = profile === undefined ? 'none' : `${profile.value} (${profile.source})`
  const where = kind === 'sandbox' ? 'the embedded sandbox' : `${baseUrl.value} (${baseUrl.source})`
  return [
    ok('account', `profile ${name}, at ${where}`),
    apiKey === undefined
      ? problem('key', 'the account has no API key', {
          next: [`pay profile set ${profile?.value ?? 'NAME'} --api-key-stdin`],
        })
      : ok('key', kind === 'sandbox' ? "the sandbox's own" : `from ${apiKey.source}`),
    ok('mode', `${mode.value === 'live' ? 'LIVE: real money' : 'test'} (${mode.source})`),
  ]
}

/** A missing account is only a warning: each command can be given one. */
export function checkMissingAccount(error: unknown): CheckResult {
  const finding = failed('account', error)
  return error instanceof PayError && error.code === 'no_key' ? { ...finding, status: 'warning' } : finding
}

/** What lies between this machine and the service: proxy and certificates. */
export function checkNetwork(account: Account, context: Context): readonly CheckResult[] {
  if (account.kind === 'sandbox') return [ok('network', 'not needed: the sandbox runs inside pay')]
  const url = account.baseUrl.value
  return [
    checkProxy(findProxy(url, context.env)),
    ...(url.startsWith('https:') ? [certificates(context)] : []),
  ]
}

function checkProxy(proxy: ProxyLookup): CheckResult {
  const check = 'proxy'
  switch (proxy.kind) {
    case 'none':
      return ok(check, 'none: pay calls the service directly')
    case 'proxy':
      return ok(check, proxy.address)
    case 'unreadable':
      return problem(check, 'the proxy in the environment is not a valid URL', {
        remedy: 'Check HTTPS_PROXY. In a password, write / ? # and @ as %2F %3F %23 and %40',
      })
  }
}

const MOST_BYTES = 10 * 1024 * 1024

function certificates({ env, readFile }: Context): CheckResult {
  const check = 'certificates'
  if (env['NODE_TLS_REJECT_UNAUTHORIZED'] === '0')
    return problem(check, 'NODE_TLS_REJECT_UNAUTHORIZED=0: anyone on the network path can read the key', {
      remedy: "Unset it, and point NODE_EXTRA_CA_CERTS at your proxy's certificate",
    })
  const path = env['NODE_EXTRA_CA_CERTS'] ?? ''
  if (path === '') return ok(check, "Node's built-in list")
  try {
    const text = new TextDecoder().decode(readFile(path, MOST_BYTES))
    const found = text.split('-----BEGIN CERTIFICATE-----').length - 1
    if (found > 0) return ok(check, `Node's built-in list, and ${found} from ${path}`)
    return warning(check, `${path} (NODE_EXTRA_CA_CERTS) contains no certificate`, {
      remedy: 'Use a file of PEM certificates',
    })
  } catch (error) {
    if (!(error instanceof PayError)) throw error
    // Only a warning: Node ignores an unreadable file, and so does pay.
    return warning(check, `NODE_EXTRA_CA_CERTS: ${error.message}`, {
      remedy: 'Correct the path, or unset it',
    })
  }
}
