import type { Account } from '../config/resolve.ts'
import { AuthError, PayError } from '../errors.ts'
import { accountOf as nameOfAccount } from '../http/intent-of.ts'
import type { StoredRecord } from '../ledger/record.ts'
import { safeText } from '../output/safe-text.ts'
import { accountOf } from './account.ts'
import type { Context } from './context.ts'

/**
 * The account that a write was made with, whatever account is in use now: the profile's own key or the environment's,
 * whichever it was. A key that was changed since is taken where no other is left.
 */
export function accountOfRecord(context: Context, record: StoredRecord): Account {
  const { PAY_API_KEY: _key, PAY_API_KEY_FILE: _file, PAY_BASE_URL: _url, ...bare } = context.env
  const profile = record.profile === null ? {} : { PAY_PROFILE: record.profile }
  const tries: readonly Context['env'][] = [
    ...(record.profile === null ? [] : [{ ...bare, ...profile }]),
    { ...context.env, ...profile, PAY_BASE_URL: record.baseUrl },
  ]
  const accounts: Account[] = []
  let problem: PayError | undefined
  for (const env of tries) {
    try {
      accounts.push(accountOf({ ...context, env }, { args: {}, flags: {} }).account)
    } catch (error) {
      if (!(error instanceof PayError)) throw error
      problem ??= error
    }
  }
  const fitting = accounts.filter(({ baseUrl }) => baseUrl.value === record.baseUrl)
  const account = fitting.find((one) => isOf(record, one)) ?? fitting[0]
  if (account !== undefined) return account
  throw accounts.length === 0 && problem !== undefined ? problem : changed(record)
}

const isOf = (record: StoredRecord, { baseUrl, apiKey }: Account): boolean =>
  apiKey !== undefined && nameOfAccount({ baseUrl: baseUrl.value, apiKey: apiKey.value }) === record.account

const changed = (record: StoredRecord): AuthError =>
  new AuthError(
    `${record.profile === null ? 'The account' : `Profile ${safeText(record.profile)}`} has another address now: this was sent to ${safeText(record.baseUrl)}`,
    {
      code: 'account_changed',
      outcome: 'none',
      hint: 'Set PAY_API_KEY and PAY_BASE_URL for that address and try again, or abandon it.',
      next: [`pay ops abandon ${record.id}`],
    },
  )
