import type { CommandSpec } from '../../cli/command/spec.ts'
import { POINTS_COMMAND, describePoints } from './points.ts'

export const command: CommandSpec = {
  ...POINTS_COMMAND,
  path: ['loyalty', 'refund'],
  summary: 'Give loyalty points back to a customer',
  examples: [
    {
      says: '250 points back',
      line: 'pay loyalty refund --connection-id points-1 --customer-id c-1 --order-id A-1 --value 250',
    },
  ],
  fixed: { type: 'REFUND' },
  confirm: ({ body }) => `Give back ${describePoints(body)}`,
  effect: 'Gives points to the customer. It cannot be undone, only redeemed again.',
  related: ['loyalty redeem'],
}
