import type { Account } from '../../config/resolve-account.ts'
import { UsageError } from '../../errors.ts'
import type { Context } from '../command/context.ts'

/** Whether Node accepts any certificate: anyone on the path can then read the key and impersonate the service. */
const isVerificationOff = (env: Context['env']): boolean => env['NODE_TLS_REJECT_UNAUTHORIZED'] === '0'

/**
 * The warning for a test account if certificates are not verified.
 * @throws {UsageError} for a live account
 */
export function warnOfUncheckedTls(account: Account, env: Context['env']): string | undefined {
  if (account.kind === 'sandbox' || !isVerificationOff(env)) return undefined
  if (account.mode.value === 'live')
    throw new UsageError(
      'NODE_TLS_REJECT_UNAUTHORIZED=0 turns off certificate verification, and this account is live',
      {
        code: 'tls_unchecked',
        outcome: 'none',
        hint: 'Unset it. To add your own certificate authority, set NODE_EXTRA_CA_CERTS=FILE.',
      },
    )
  return account.baseUrl.value.startsWith('https:')
    ? 'NODE_TLS_REJECT_UNAUTHORIZED=0: certificates are not verified, so anyone on the network path can read the key and impersonate the service.'
    : undefined
}
