import type { Account } from '../../config/resolve-account.ts'
import { EXIT, PayError } from '../../errors.ts'
import { accountOf as nameOfAccount } from '../../calls/build-intent.ts'
import type { StoredRecord } from '../../ledger/files/record.ts'
import { safeText } from '../../output/safe-text.ts'
import { accountOf } from './account.ts'
import type { Context } from '../command/context.ts'

/**
 * The account that a write was made with, whatever account is in use now: the profile's own key or the environment's,
 * whichever it was. A key that was changed since is taken where no other is left. A profile that is named now stands
 * for the one that it was made with, as after that was renamed.
 * A key goes only where it belongs: to its profile's address, to the one that the environment names beside it, or to the
 * one that it is known to have been used at.
 * @throws {PayError} exit 4 when there is no such account any more, or no key for it
 */
export function accountOfRecord(context: Context, record: StoredRecord, profileNamedNow?: string): Account {
  const { PAY_API_KEY: _key, PAY_API_KEY_FILE: _file, PAY_BASE_URL: _url, ...bare } = context.env
  const name = profileNamedNow ?? record.profile
  const profile = name === null ? {} : { PAY_PROFILE: name }
  const named: readonly Context['env'][] = [
    ...(name === null ? [] : [{ ...bare, ...profile }]),
    { ...context.env, ...profile },
    // The profile may be gone, and a key for its service be given by hand.
    { ...context.env, PAY_PROFILE: undefined },
  ]
  const { accounts, problem } = accountsOf(context, named)
  // The key that it was sent with, in an environment that says another address or none by now.
  const there = [profile, { PAY_PROFILE: undefined }].map((chosen) => ({
    ...context.env,
    ...chosen,
    PAY_BASE_URL: record.baseUrl,
  }))
  const known = accountsOf(context, there).accounts.filter((one) => isOf(record, one))
  const fitting = accounts.filter(({ baseUrl }) => baseUrl.value === record.baseUrl)
  const account = fitting.find((one) => isOf(record, one)) ?? known[0] ?? fitting[0]
  if (account !== undefined) return account
  throw cannotBeUsed(record, accounts.length === 0 ? problem : undefined)
}

/** By its name then, or because its account is that profile's now, as after the profile was renamed. */
export function isOfProfile(context: Context, record: StoredRecord, profile: string): boolean {
  if (record.profile === profile) return true
  const { PAY_API_KEY: _key, PAY_API_KEY_FILE: _file, PAY_BASE_URL: _url, ...bare } = context.env
  return accountsOf(context, [{ ...bare, PAY_PROFILE: profile }]).accounts.some((one) => isOf(record, one))
}

function accountsOf(
  context: Context,
  environments: readonly Context['env'][],
): { readonly accounts: readonly Account[]; readonly problem: PayError | undefined } {
  const accounts: Account[] = []
  let problem: PayError | undefined
  for (const env of environments) {
    try {
      accounts.push(accountOf({ ...context, env }, { args: {}, flags: {} }).account)
    } catch (error) {
      if (!(error instanceof PayError)) throw error
      problem ??= error
    }
  }
  return { accounts, problem }
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
      : safeText(problem.message)
  return new PayError(
    'account_changed',
    EXIT.auth,
    `It was sent to ${url} with the key of ${whose}, and ${why}`,
    {
      operation: record.operation,
      operationId: record.id,
      outcome: 'unknown',
      retryable: true,
      hint: `${isGone ? 'If the profile was renamed, name it with --profile. Else set' : 'Set'} PAY_API_KEY to a key of that account and PAY_BASE_URL to that address, and try again.`,
      next: [`pay ops resolve ${record.id}`],
    },
  )
}
