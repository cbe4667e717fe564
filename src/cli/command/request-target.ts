import type { RequestTarget } from '../../client/calls/build.ts'
import type { Account } from '../../client/config/resolve-account.ts'
import { accountOf } from '../../client/calls/build-intent.ts'
import type { Context } from './context.ts'

/** What every request of an account carries; the API key is empty if the account has none. */
export const targetOf = (
  { baseUrl, apiKey, apiVersion }: Account,
  { userAgent }: Pick<Context, 'userAgent'>,
): RequestTarget => ({
  baseUrl: baseUrl.value,
  apiKey: apiKey?.value ?? '',
  apiVersion: apiVersion.value,
  userAgent,
})

/** The owner of an account's writes: the account that the team's keys have joined, or else that of the API key. Undefined without a key. */
export const ownerOf = ({ baseUrl, apiKey, ledger }: Account): string | undefined =>
  ledger.kind === 'team' && ledger.account !== undefined
    ? ledger.account
    : apiKey && accountOf({ baseUrl: baseUrl.value, apiKey: apiKey.value })
