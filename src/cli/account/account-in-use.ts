import { selectAccount } from './account.ts'
import type { LedgerUser } from '../command/context.ts'
import type { Invocation } from '../command/invocation.ts'
import { chooseLedger } from '../../client/config/ledger-choice.ts'
import { PayError } from '../../errors.ts'

/** Problems of an account that don't matter to commands that need none. */
const NO_ACCOUNT = ['no_key', 'unknown_profile', 'account_conflict', 'base_url_missing', 'base_url_mismatch']

/** The account in use; without one, the ledger that the environment names, or else this machine's. */
export function accountInUse({ context, input }: Pick<Invocation, 'context' | 'input'>): LedgerUser {
  try {
    return selectAccount(context, input, false).account
  } catch (error) {
    if (!(error instanceof PayError) || !NO_ACCOUNT.includes(error.code)) throw error
    return { ledger: chooseLedger(context.env, undefined) }
  }
}
