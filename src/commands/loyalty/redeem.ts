import type { CommandSpec } from '../../cli/command/spec.ts'
import { POINTS_COMMAND, describePoints } from './points.ts'

export const command: CommandSpec = {
  ...POINTS_COMMAND,
  path: ['loyalty', 'redeem'],
  summary: 'Redeem loyalty points of a customer',
  examples: [
    {
      says: '250 points',
      line: 'pay loyalty redeem --connection-id points-1 --customer-id c-1 --order-id A-1 --value 250',
    },
  ],
  fixed: { type: 'REDEMPTION' },
  confirm: ({ body }) => `Redeem ${describePoints(body)}`,
  effect: 'Takes points from the customer. Given back by pay loyalty refund.',
  related: ['loyalty refund'],
}
