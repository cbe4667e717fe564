import { existsSync } from 'node:fs'
import { ledgerPath } from '../../client/ledger/ledger-file.ts'
import { earlierSandboxTest } from '../command/sandbox-identity.ts'
import type { Context } from '../command/context.ts'
import { pluralize } from '../../text/words.ts'

/** For `pay` alone: a line about the writes of this machine that are in doubt. Opens nothing if there is no ledger. */
export async function describeDoubt(context: Context): Promise<string> {
  try {
    if (!existsSync(ledgerPath(context.stateFolder))) return ''
    const { records } = await (await context.ledger(undefined)).list({ states: ['in-doubt'] })
    if (records.length === 0) return ''
    const isEarlier = await earlierSandboxTest(context)
    const { length: count } = records.filter((record) => !isEarlier(record))
    if (count === 0) return ''
    const what = `${pluralize(count, 'write of this machine is', 'writes of this machine are')} in doubt`
    return `${what}: pay desk, then Ctrl-T, or pay ops resolve --all\n\n`
  } catch {
    // Help must work with a damaged ledger too. The next write says so.
    return ''
  }
}
