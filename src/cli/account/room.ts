import { accountOf } from '../../client/calls/build-intent.ts'
import type { Account } from '../../client/config/resolve-account.ts'
import type { Room } from '../../client/ledger/limits-in-time.ts'
import { PayError } from '../../errors.ts'
import type { Context } from '../command/context.ts'

/** What is left of the profile's limits over time; empty without any, and if the ledger can't be read. */
export async function roomOf(
  context: Pick<Context, 'ledger'>,
  account: Pick<Account, 'limits' | 'profile' | 'baseUrl' | 'apiKey' | 'ledger'>,
): Promise<readonly Room[]> {
  const { limits, profile, baseUrl, apiKey } = account
  if (apiKey === undefined || (limits.maxTotal === undefined && limits.maxCount === undefined)) return []
  try {
    const ledger = await context.ledger(account)
    const id = ledger.team?.account ?? accountOf({ baseUrl: baseUrl.value, apiKey: apiKey.value })
    const limitee = { account: id, profile: profile?.value ?? null, baseUrl: baseUrl.value }
    return await ledger.room(limitee, limits)
  } catch (error) {
    if (error instanceof PayError) return []
    throw error
  }
}
