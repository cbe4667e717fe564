import { listPayments } from '../../api/operations/payment.ts'
import { paymentList } from '../../api/models/payment.ts'
import { show } from '../../cli/command/result.ts'
import type { CommandSpec } from '../../cli/command/spec.ts'
import { paymentListView } from '../../views/payment/payment.ts'
import { LIST_FILTERS } from '../list-filters.ts'
import { LIST_DETAILS, PAGE_FLAGS, runList } from '../list-pages.ts'
import { REFUNDS_FLAG } from '../refund-filter.ts'

const present = show(paymentList, paymentListView)

export const command: CommandSpec = {
  path: ['payment', 'list'],
  summary: 'List payments, newest first',
  details: `A filter takes several values separated by commas; a payment must match every filter. Order IDs that contain a comma are found too. Without --limit or --all, lists the newest 100. A row doesn't say that a refund failed later: its STATUS and REFUNDED show what the service counts. For that, use --refunds failed, which reads the payments, or pay ops verify. ${LIST_DETAILS}`,
  examples: [
    { purpose: 'list the payments of one order', line: 'pay payment list --order-id A-1' },
    {
      purpose: 'list payments declined since January',
      line: 'pay payment list --status DECLINED --from 2026-01-01 --all',
    },
    {
      purpose: "list a customer's payments of 100 EUR or more",
      line: 'pay payment list --customer-id c-1 --min-amount "100 EUR"',
    },
    {
      purpose: 'list the payments of a week with a refund that failed',
      line: 'pay payment list --refunds failed --from 7d',
    },
    { purpose: 'print only the IDs', line: 'pay payment list --status AUTHORIZED -o id' },
    {
      purpose: 'export all payments to a file, and resume after a failure',
      line: 'pay payment list --all --out payments.csv.gz',
    },
  ],
  flags: { refunds: REFUNDS_FLAG, ...LIST_FILTERS, ...PAGE_FLAGS },
  operation: listPayments,
  run: (invocation, input) => runList(invocation, input, listPayments, present),
  related: ['payment explain', 'payment get', 'ops list'],
}
