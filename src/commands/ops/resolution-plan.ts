import type { Replay } from '../../api/operation.ts'
import { accountOfRecord } from '../../cli/account/account-of-record.ts'
import { textFlag } from '../../cli/command/input.ts'
import type { Invocation } from '../../cli/command/invocation.ts'
import { PayError } from '../../errors.ts'
import type { StoredRecord } from '../../client/ledger/record.ts'
import type { ShownResolution } from '../../views/ops/resolution.ts'
import { shownResolution } from './resolve-record.ts'

/** What `ops resolve --dry-run` would do about each record. Sends nothing and changes nothing. */
export async function planResolutions(
  invocation: Invocation,
  records: readonly StoredRecord[],
): Promise<readonly ShownResolution[]> {
  const { OPERATIONS } = await import('../../api/table.ts')
  if (records.length > 0) await invocation.note('Nothing was sent.')
  const plans = records.map(async (record) => {
    const row = OPERATIONS.find(({ id }) => id === record.operation)
    const plan =
      record.state === 'sending'
        ? 'Would leave it alone: a process is still sending it.'
        : ((await describeObstacle(invocation, record)) ?? describePlan(record, row?.replay))
    return shownResolution({ record, explanation: plan, problem: undefined })
  })
  return Promise.all(plans)
}

async function describeObstacle(
  { context, input }: Invocation,
  record: StoredRecord,
): Promise<string | undefined> {
  try {
    // Of a team's ledger, the account in use is.
    if (record.leaseUntil === undefined) await accountOfRecord(context, record, textFlag(input, 'profile'))
    return undefined
  } catch (error) {
    if (!(error instanceof PayError)) throw error
    return `Could not check it: ${error.message}.`
  }
}

function describePlan({ mode, request }: StoredRecord, replay: Replay | undefined): string {
  const condition = mode === 'live' ? ', if you confirm' : ''
  switch (replay) {
    case 'keyed':
      return request === undefined
        ? "Would read the order's payments and send nothing again."
        : `Would read the payment and, unless it shows the write, send the same request again with the same key${condition}.`
    case 'compare':
      return `Would read the payment and send the same request again only if the payment is unchanged${condition}.`
    case 'look':
      return 'Would read the payment and send nothing again.'
    case 'safe':
    case 'never':
    case undefined:
      return 'Nothing can be read or sent for it: check it yourself.'
  }
}
