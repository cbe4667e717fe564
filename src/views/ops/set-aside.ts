import type { Salvage } from '../../client/ledger/damaged-file.ts'
import type { View } from '../../output/view.ts'
import { formatField } from '../format-fields.ts'
import { pluralize } from '../../text/words.ts'

/** The ID of an unreadable record, and where it is kept; null in a dry run. */
export const setAsideView: View<{ readonly damaged: string; readonly setAside: string | null }> = {
  ids: () => [],
  csvColumns: ['damaged', 'setAside'],
  render: ({ damaged, setAside }) =>
    setAside === null
      ? `Unreadable; would be set aside: ${formatField(damaged)}`
      : `Set aside; it blocks nothing: ${formatField(setAside)}`,
}

/** `setAside` is where the damaged file is kept; null if nothing was changed. */
export const ledgerView: View<Salvage & { readonly setAside: string | null }> = {
  ids: () => [],
  csvColumns: ['isDamaged', 'records', 'open', 'lost', 'setAside'],
  render: (ledger) =>
    ledger.isDamaged
      ? [
          ...(ledger.setAside === null ? [] : [`Set aside: ${formatField(ledger.setAside)}`]),
          describeLedger(ledger),
          ...ledger.lost.map((id) => `  ${formatField(id)}`),
        ].join('\n')
      : 'The ledger is not damaged.',
}

/** "12 records can be read, 2 of them open. 1 record can't:" */
export function describeLedger({ records, open, lost }: Salvage): string {
  const readable = `${pluralize(records, 'record')} can be read, ${open} of them open.`
  if (records + lost.length === 0) return 'No record in it can be read. What was open in it blocks nothing.'
  return lost.length === 0
    ? `${readable} If others are missing, their IDs are lost too.`
    : `${readable} ${pluralize(lost.length, 'record')} can't:`
}
