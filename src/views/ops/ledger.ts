import { renderDetails } from '../../output/details.ts'
import { renderTable } from '../../output/table.ts'
import type { View } from '../../output/view.ts'
import { formatField, pluralize } from '../format-fields.ts'
import { formatTarget } from './state.ts'

interface ShownOpenWrite {
  readonly operationId: string
  readonly operation: string
  readonly target: string | null
  /** `user@host` */
  readonly owner: string
  /** ISO 8601; null if its process isn't sending it any more. */
  readonly leaseUntil: string | null
}

interface ShownLedgerStatus {
  readonly kind: 'local' | 'postgres'
  readonly url: string | null
  readonly ledgerId: string | null
  /** Of the tables. */
  readonly version: number
  readonly account: string | null
  readonly open: readonly ShownOpenWrite[]
}

export const ledgerStatusView: View<ShownLedgerStatus> = {
  ids: ({ ledgerId }) => (ledgerId === null ? [] : [ledgerId]),
  csvColumns: ['kind', 'url', 'ledgerId', 'version', 'account'],
  render: ({ url, account, ledgerId, open }, options) =>
    [
      renderDetails(options, [
        ['Ledger', url === null ? 'this machine only' : formatField(url)],
        ['Account', account === null ? (url === null ? undefined : 'not joined') : formatField(account)],
        ['ID', ledgerId ?? undefined],
        ['Open writes', open.length === 0 ? 'none' : String(open.length)],
      ]),
      ...(open.length === 0
        ? []
        : [
            renderTable(
              [
                { title: 'ID', text: ({ operationId }) => formatField(operationId.slice(0, 8)) },
                { title: 'OPERATION', text: ({ operation }) => formatField(operation) },
                {
                  title: 'TARGET',
                  text: ({ target }) => (target === null ? '' : formatTarget(target)),
                  shrink: true,
                },
                { title: 'BY', text: ({ owner }) => formatField(owner) },
                { title: 'LEASE', text: ({ leaseUntil }) => leaseUntil?.slice(11, 19) ?? '', drop: 1 },
              ],
              open,
              options,
            ),
          ]),
    ].join('\n\n'),
}

interface ShownLedgerMade {
  readonly url: string
  readonly ledgerId: string
  readonly version: number
  /** False if it was there. */
  readonly isNew: boolean
  /** For the owner to run, with a name in place of MEMBER or AUDITOR. */
  readonly grants: readonly string[]
}

export const ledgerMadeView: View<ShownLedgerMade> = {
  ids: ({ ledgerId }) => [ledgerId],
  csvColumns: ['url', 'ledgerId', 'version', 'isNew'],
  render: ({ url, ledgerId, isNew, grants }) =>
    [
      `${isNew ? 'Made' : 'Ready'}: ${formatField(url)} (${formatField(ledgerId)})`,
      'Each member needs one of these, run by the owner: the first may send, the second only looks.',
      ...grants.map((grant) => `  ${grant}`),
    ].join('\n'),
}

interface ShownLedgerJoined {
  readonly url: string
  readonly ledgerId: string
  readonly account: string
  /** How many records of this machine's ledger were added. */
  readonly copied: number
}

export const ledgerJoinedView: View<ShownLedgerJoined> = {
  ids: ({ account }) => [account],
  csvColumns: ['url', 'ledgerId', 'account', 'copied'],
  render: ({ url, account, copied }) =>
    `Joined ${formatField(account)} in ${formatField(url)}. Copied ${pluralize(copied, 'record')} of this machine.`,
}
