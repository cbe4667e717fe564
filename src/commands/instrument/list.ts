import { instrumentList } from '../../api/models/instrument.ts'
import { listInstruments } from '../../api/operations/instrument.ts'
import { show } from '../../cli/command/result.ts'
import type { CommandSpec } from '../../cli/command/spec.ts'
import { instrumentListView } from '../../views/instrument/instrument.ts'

export const command: CommandSpec = {
  path: ['instrument', 'list'],
  summary: "List a customer's saved payment methods",
  examples: [{ purpose: "list a customer's methods", line: 'pay instrument list --customer-id c-1' }],
  flags: {
    'customer-id': {
      kind: 'text',
      value: 'ID',
      query: 'customer_id',
      required: true,
      ask: 'Customer ID',
      help: 'Your ID for the customer',
    },
  },
  operation: listInstruments,
  present: show(instrumentList, instrumentListView),
  related: ['instrument default', 'instrument delete', 'instrument vault'],
}
