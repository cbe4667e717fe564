import type { Context } from '../../../cli/command/context.ts'
import { proxyTo } from '../../../cli/account/probe.ts'
import type { ProxyTo } from '../../../cli/account/probe.ts'
import type { Account } from '../../../config/resolve-account.ts'
import { PayError } from '../../../errors.ts'
import type { CheckResult } from '../../../views/top/doctor.ts'
import { failed, ok, problem, warning } from './finding.ts'

/** The account in use, where its key comes from, and whether it is real money. The key itself is never told. */
export function accountFindings(account: Account): readonly CheckResult[] {
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

/** Having none is no fault of the machine: every command can be told which. */
export function withoutAccount(error: unknown): CheckResult {
  const finding = failed('account', error)
  return error instanceof PayError && error.code === 'no_key' ? { ...finding, status: 'warning' } : finding
}

/** What stands between here and the service. */
export function wayFindings(account: Account, context: Context): readonly CheckResult[] {
  if (account.kind === 'sandbox') return [ok('network', 'not needed: the sandbox is in this program')]
  const url = account.baseUrl.value
  return [
    proxyFinding(proxyTo(url, context.env)),
    ...(url.startsWith('https:') ? [certificates(context)] : []),
  ]
}

function proxyFinding(proxy: ProxyTo): CheckResult {
  const check = 'proxy'
  switch (proxy.kind) {
    case 'none':
      return ok(check, 'none: the service is called directly')
    case 'proxy':
      return ok(check, proxy.at)
    case 'unreadable':
      return problem(check, 'the proxy that the environment names is not a URL', {
        remedy: 'Check HTTPS_PROXY; / ? # and @ of a password are written as %2F %3F %23 and %40 in it',
      })
  }
}

const MOST_BYTES = 10 * 1024 * 1024

function certificates({ env, readFile }: Context): CheckResult {
  const check = 'certificates'
  if (env['NODE_TLS_REJECT_UNAUTHORIZED'] === '0')
    return problem(check, 'NODE_TLS_REJECT_UNAUTHORIZED=0: whoever stands in between can read the key', {
      remedy: 'Unset it; name the certificate of your proxy in NODE_EXTRA_CA_CERTS',
    })
  const path = env['NODE_EXTRA_CA_CERTS'] ?? ''
  if (path === '') return ok(check, "Node's own list")
  try {
    const text = new TextDecoder().decode(readFile(path, MOST_BYTES))
    const found = text.split('-----BEGIN CERTIFICATE-----').length - 1
    if (found > 0) return ok(check, `Node's own list, and ${found} of ${path}`)
    return warning(check, `${path} (NODE_EXTRA_CA_CERTS) holds no certificate`, {
      remedy: 'It has to be a file of PEM certificates',
    })
  } catch (error) {
    if (!(error instanceof PayError)) throw error
    // Node goes on without it, and so does pay.
    return warning(check, `NODE_EXTRA_CA_CERTS: ${error.message}`, {
      remedy: 'Correct the path, or unset it',
    })
  }
}
