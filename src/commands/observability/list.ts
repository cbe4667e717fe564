import { paymentRecordList } from '../../api/models/external-payment.ts'
import { listPaymentRecords } from '../../api/operations/observability.ts'
import { show } from '../../cli/command/result.ts'
import type { CommandSpec } from '../../cli/command/spec.ts'
import { recordListView } from '../../views/import/external-payment.ts'
import { LIST_FILTERS } from '../list-filters.ts'
import { LIST_DETAILS, PAGE_FLAGS, runList } from '../list-pages.ts'
import { explainUnsupportedRead } from '../record-reads.ts'

const present = show(paymentRecordList, recordListView)

export const command: CommandSpec = {
  path: ['observability', 'list'],
  summary: 'List the records of all payments, newest first',
  details: `Lists payments made through the service together with external ones; source tells them apart. A filter takes several values separated by commas; a record must match every filter. External records have no customer. Without --limit or --all, lists the newest 100. ${LIST_DETAILS}`,
  examples: [
    { purpose: 'list the records of one order', line: 'pay observability list --order-id A-1' },
    {
      purpose: 'list what one processor declined',
      line: 'pay observability list --processor ACME --status DECLINED',
    },
    {
      purpose: 'export a month as CSV',
      line: 'pay observability list --from 2026-01-01 --to 2026-01-31 --all -o csv',
    },
    {
      purpose: 'export all records to a file, and resume after a failure',
      line: 'pay observability list --all --out all-records.ndjson',
    },
  ],
  flags: { ...LIST_FILTERS, ...PAGE_FLAGS },
  operation: listPaymentRecords,
  run: (invocation, input) =>
    runList(invocation, input, listPaymentRecords, present).catch((error: unknown) => {
      throw explainUnsupportedRead(error)
    }),
  related: ['observability get', 'insights', 'payment list'],
}
