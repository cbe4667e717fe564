import type { ApplyOptions } from '../../../batch/apply/run.ts'
import type { Client } from '../../../calls/client-port.ts'
import { resolveOpen } from '../../../cli/resolve-open.ts'
import type { FileLedger } from '../../../ledger/ledger.ts'

/** What applying a plan needs of the ledger: its records, and the outcomes of its open writes. */
export const ledgerPorts = (
  ledger: FileLedger,
  client: Client,
): Pick<ApplyOptions, 'visitWrites' | 'settleWrite'> => ({
  visitWrites: async (visit) => {
    const { records } = await ledger.list({ onlyOpen: true })
    for (const record of records) visit(record)
    await ledger.visitEnded(visit)
  },
  settleWrite: async (id, forbidResend) => {
    const { record, resolution } = await resolveOpen(ledger, id, async () => client, {
      // The plan was confirmed.
      confirmSend: async () => true,
      forbidResend,
    })
    return { record, words: resolution.words }
  },
})
