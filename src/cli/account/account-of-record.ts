import type { Account } from '../../client/config/resolve-account.ts'
import { isSandboxUrl } from '../../client/config/sandbox-url.ts'
import { EXIT, PayError, isInterruption } from '../../errors.ts'
import { accountOf as nameOfAccount } from '../../client/calls/build-intent.ts'
import type { StoredRecord } from '../../client/ledger/record.ts'
import { safeText } from '../../output/safe-text.ts'
import { selectAccount, withKey } from './account.ts'
import { withIdentity } from '../command/sandbox-identity.ts'
import type { Context } from '../command/context.ts'
import { shellWord } from '../../files/shell.ts'

/**
 * Finds the account that made a recorded write, whichever account is selected now. Prefers the key used for the write, from
 * the profile or the environment; otherwise takes another key for the same address. `chosenProfile` (--profile) replaces the
 * recorded profile, which may have been renamed.
 * Pairs a key only with an address that it belongs to: that of its profile, the one set with it in the environment, or the
 * one to which the record shows it was sent.
 * @throws {PayError} exit 4 if the account or its key is gone
 */
export async function accountOfRecord(
  context: Context,
  record: StoredRecord,
  chosenProfile?: string,
): Promise<Account> {
  if (isSandboxUrl(record.baseUrl)) return sandboxOf(context, record)
  const { PAY_API_KEY: _key, PAY_API_KEY_FILE: _file, PAY_BASE_URL: _url, ...envWithoutAccount } = context.env
  const name = chosenProfile ?? record.profile
  const profile = name === null ? {} : { PAY_PROFILE: name }
  const candidates: readonly Context['env'][] = [
    ...(name === null ? [] : [{ ...envWithoutAccount, ...profile }]),
    { ...context.env, ...profile },
    // The profile may be gone, and the environment may have a key for its service.
    { ...context.env, PAY_PROFILE: undefined },
  ]
  const { accounts, problem } = await resolveAccounts(context, candidates)
  // Accept the key used for the write even if the environment sets another address or none.
  const environmentsAtRecordedUrl = [profile, { PAY_PROFILE: undefined }].map((chosen) => ({
    ...context.env,
    ...chosen,
    PAY_BASE_URL: record.baseUrl,
  }))
  const atRecordedUrl = await resolveAccounts(context, environmentsAtRecordedUrl)
  const accountsWithKey = atRecordedUrl.accounts.filter((candidate) => isAccountOf(record, candidate))
  const accountsAtUrl = accounts.filter(({ baseUrl }) => baseUrl.value === record.baseUrl)
  const account =
    accountsAtUrl.find((candidate) => isAccountOf(record, candidate)) ??
    accountsWithKey[0] ??
    accountsAtUrl[0]
  if (account !== undefined) return account
  throw accountChangedError(record, accounts.length === 0 ? problem : undefined)
}

/** @throws {PayError} exit 10 if the sandbox was emptied since */
async function sandboxOf(context: Context, record: StoredRecord): Promise<Account> {
  const { account } = selectAccount(context, { args: {}, flags: { sandbox: true } })
  const current = await withIdentity(context, account, { creates: false })
  if (current.baseUrl.value === record.baseUrl) return current
  throw new PayError(
    'earlier_sandbox',
    EXIT.outcomeUnknown,
    'The write was sent to an earlier sandbox, whose payments are gone',
    {
      operation: record.operation,
      operationId: record.id,
      outcome: 'unknown',
      retryable: false,
      hint: "Nothing can tell whether it was done. It blocks nothing in this sandbox, and real money wasn't moved: abandon it.",
      next: [`pay ops abandon ${shellWord(record.id)}`],
    },
  )
}

/** Whether a record belongs to a profile: by its name, or by its account if the profile was renamed. */
export async function isRecordOfProfile(
  context: Context,
  record: StoredRecord,
  profile: string,
): Promise<boolean> {
  if (record.profile === profile) return true
  const { PAY_API_KEY: _key, PAY_API_KEY_FILE: _file, PAY_BASE_URL: _url, ...envWithoutAccount } = context.env
  const { accounts } = await resolveAccounts(context, [{ ...envWithoutAccount, PAY_PROFILE: profile }])
  return accounts.some((candidate) => isAccountOf(record, candidate))
}

async function resolveAccounts(
  context: Context,
  environments: readonly Context['env'][],
): Promise<{ readonly accounts: readonly Account[]; readonly problem: PayError | undefined }> {
  const accounts: Account[] = []
  let problem: PayError | undefined
  for (const env of environments) {
    try {
      const { account } = selectAccount({ ...context, env }, { args: {}, flags: {} })
      accounts.push(await withKey(context, account))
    } catch (error) {
      if (!(error instanceof PayError) || isInterruption(error)) throw error
      problem ??= error
    }
  }
  return { accounts, problem }
}

const isAccountOf = (record: StoredRecord, { baseUrl, apiKey }: Account): boolean =>
  apiKey !== undefined && nameOfAccount({ baseUrl: baseUrl.value, apiKey: apiKey.value }) === record.account

function accountChangedError(record: StoredRecord, problem: PayError | undefined): PayError {
  const url = safeText(record.baseUrl)
  const keyOwner = record.profile === null ? 'the environment' : `profile ${safeText(record.profile)}`
  const isGone = problem?.code === 'unknown_profile'
  const why = isGone
    ? 'that profile no longer exists'
    : problem === undefined
      ? 'it has another address now'
      : safeText(problem.message)
  return new PayError(
    'account_changed',
    EXIT.auth,
    `The write was sent to ${url} with the key of ${keyOwner}, and ${why}`,
    {
      operation: record.operation,
      operationId: record.id,
      outcome: 'unknown',
      retryable: true,
      hint: `${isGone ? 'If the profile was renamed, give the new name with --profile. Otherwise set' : 'Set'} PAY_API_KEY to a key of that account and PAY_BASE_URL to that address, and try again.`,
      next: [`pay ops resolve ${shellWord(record.id)}`],
    },
  )
}
