import type { CommandSpec } from '../../cli/command/spec.ts'
import { POINTS_COMMAND, describePoints } from './points.ts'

export const command: CommandSpec = {
  ...POINTS_COMMAND,
  path: ['loyalty', 'refund'],
  summary: 'Return loyalty points to a customer',
  examples: [
    {
      purpose: 'return 250 points',
      line: 'pay loyalty refund --connection-id points-1 --customer-id c-1 --order-id A-1 --value 250',
    },
  ],
  fixed: { type: 'REFUND' },
  confirm: ({ body }) => `Return ${describePoints(body, 'to')}`,
  effect: "Gives points to the customer. You can't undo this; you can only redeem the points again.",
  related: ['loyalty redeem'],
}
