import type { Account } from '../../config/resolve-account.ts'
import { UsageError } from '../../errors.ts'
import type { Context } from '../command/context.ts'

/** Node takes any certificate then: anybody on the way can read the key, and answer in place of the service. */
const isUnchecked = (env: Context['env']): boolean => env['NODE_TLS_REJECT_UNAUTHORIZED'] === '0'

/**
 * Words for a test account, where certificates go unchecked.
 * @throws {UsageError} for a live one
 */
export function warnOfUncheckedTls(account: Account, env: Context['env']): string | undefined {
  if (account.kind === 'sandbox' || !isUnchecked(env)) return undefined
  if (account.mode.value === 'live')
    throw new UsageError(
      'NODE_TLS_REJECT_UNAUTHORIZED=0 turns off the check of certificates, and this account is live',
      {
        code: 'tls_unchecked',
        outcome: 'none',
        hint: 'Unset it. NODE_EXTRA_CA_CERTS=FILE adds an authority of your own.',
      },
    )
  return account.baseUrl.value.startsWith('https:')
    ? 'NODE_TLS_REJECT_UNAUTHORIZED=0: certificates are not checked, so anybody on the way can read the key and answer in place of the service.'
    : undefined
}
