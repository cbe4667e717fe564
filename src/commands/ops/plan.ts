import type { Replay } from '../../api/operation.ts'
import { accountOfRecord } from '../../cli/account/account-of-record.ts'
import { textFlag } from '../../cli/command/input.ts'
import type { Invocation } from '../../cli/command/invocation.ts'
import { PayError } from '../../errors.ts'
import type { StoredRecord } from '../../ledger/files/record.ts'
import type { ShownResolution } from '../../views/ops/resolution.ts'
import { shownResolution } from './clear-up.ts'

/** What `resolve` would do about each, without a request and without a trace. */
export async function plansFor(
  invocation: Invocation,
  records: readonly StoredRecord[],
): Promise<readonly ShownResolution[]> {
  const { OPERATIONS } = await import('../../api/table.ts')
  if (records.length > 0) await invocation.note('Nothing was sent.')
  return records.map((record) => {
    const row = OPERATIONS.find(({ id }) => id === record.operation)
    const words =
      record.state === 'sending'
        ? 'It would be left alone: a process is at work on it.'
        : (obstacle(invocation, record) ?? planOf(record, row?.replay))
    return shownResolution({ record, words, problem: undefined })
  })
}

function obstacle({ context, input }: Invocation, record: StoredRecord): string | undefined {
  try {
    accountOfRecord(context, record, textFlag(input, 'profile'))
    return undefined
  } catch (error) {
    if (!(error instanceof PayError)) throw error
    return `It could not be looked at: ${error.message}.`
  }
}

function planOf({ mode, request }: StoredRecord, replay: Replay | undefined): string {
  const asking = mode === 'live' ? ', after a yes' : ''
  switch (replay) {
    case 'keyed':
      return request === undefined
        ? 'The payments of its order would be read. Nothing would be sent again.'
        : `The payment would be read, and the same request be sent again with the same key${asking}.`
    case 'compare':
      return `The payment would be read, and the same request be sent again only while it is as before${asking}.`
    case 'look':
      return 'The payment would be read. Nothing would be sent again.'
    case 'safe':
    case 'never':
    case undefined:
      return 'Nothing can be asked or sent from here: a person has to look.'
  }
}
