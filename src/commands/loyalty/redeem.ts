import type { CommandSpec } from '../../cli/command/spec.ts'
import { POINTS_COMMAND, describePoints } from './points.ts'

export const command: CommandSpec = {
  ...POINTS_COMMAND,
  path: ['loyalty', 'redeem'],
  summary: "Redeem a customer's loyalty points",
  examples: [
    {
      purpose: 'redeem 250 points',
      line: 'pay loyalty redeem --connection-id points-1 --customer-id c-1 --order-id A-1 --value 250',
    },
  ],
  fixed: { type: 'REDEMPTION' },
  confirm: ({ body }) => `Redeem ${describePoints(body, 'of')}`,
  effect: 'Takes points from the customer. To return them, use pay loyalty refund.',
  related: ['loyalty refund'],
}
