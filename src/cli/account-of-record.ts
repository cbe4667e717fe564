import type { Account } from '../config/resolve.ts'
import { EXIT, PayError } from '../errors.ts'
import { accountOf as nameOfAccount } from '../http/intent-of.ts'
import type { StoredRecord } from '../ledger/record.ts'
import { safeText } from '../output/safe-text.ts'
import { accountOf } from './account.ts'
import type { Context } from './context.ts'

/**
 * The account that a write was made with, whatever account is in use now: the profile's own key or the environment's,
 * whichever it was. A key that was changed since is taken where no other is left. A profile that is named now stands
 * for the one that it was made with, as after that was renamed.
 * @throws {PayError} exit 4 when there is no such account any more, or no key for it
 */
export function accountOfRecord(context: Context, record: StoredRecord, profileNamedNow?: string): Account {
  const { PAY_API_KEY: _key, PAY_API_KEY_FILE: _file, PAY_BASE_URL: _url, ...bare } = context.env
  const name = profileNamedNow ?? record.profile
  const profile = name === null ? {} : { PAY_PROFILE: name }
  const tries: readonly Context['env'][] = [
    ...(name === null ? [] : [{ ...bare, ...profile }]),
    { ...context.env, ...profile, PAY_BASE_URL: record.baseUrl },
    // The profile may be gone, and a key for its service be given by hand.
    { ...context.env, PAY_PROFILE: undefined, PAY_BASE_URL: record.baseUrl },
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
  throw cannotBeUsed(record, accounts.length === 0 ? problem : undefined)
}

const isOf = (record: StoredRecord, { baseUrl, apiKey }: Account): boolean =>
  apiKey !== undefined && nameOfAccount({ baseUrl: baseUrl.value, apiKey: apiKey.value }) === record.account

function cannotBeUsed(record: StoredRecord, problem: PayError | undefined): PayError {
  const url = safeText(record.baseUrl)
  const whose = record.profile === null ? 'the environment' : `profile ${safeText(record.profile)}`
  const isGone = problem?.code === 'unknown_profile'
  const why = isGone
    ? 'that profile is gone'
    : problem === undefined
      ? 'that has another address now'
      : safeText(problem.message).replace(/\.$/, '')
  return new PayError(
    'account_changed',
    EXIT.auth,
    `It was sent to ${url} with the key of ${whose}, and ${why}`,
    {
      operation: record.operation,
      operationId: record.id,
      outcome: 'unknown',
      retryable: true,
      hint: `${isGone ? 'If the profile was renamed, name it with --profile. Else set' : 'Set'} PAY_API_KEY to a key of that account and try again.`,
      next: [`pay ops resolve ${record.id}`],
    },
  )
}
