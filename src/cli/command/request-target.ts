import type { RequestTarget } from '../../calls/build.ts'
import type { Account } from '../../config/resolve-account.ts'
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
