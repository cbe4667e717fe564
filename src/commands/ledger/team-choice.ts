import type { TeamChoice } from '../../cli/account/open-ledger.ts'
import type { Invocation } from '../../cli/command/invocation.ts'
import { UsageError } from '../../errors.ts'
import { accountInUse } from '../../cli/account/account.ts'

/** The team's ledger of the account in use. */
export function findTeam(invocation: Invocation): TeamChoice {
  const { ledger } = accountInUse(invocation)
  if (ledger.kind === 'team') return ledger
  throw new UsageError("No team's ledger is named", {
    code: 'missing_input',
    hint: 'Name it: pay profile set NAME --ledger "postgres://USER@HOST/DATABASE", or set PAY_LEDGER.',
    next: ['pay profile set --help'],
  })
}
