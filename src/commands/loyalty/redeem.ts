import { loyaltyTransaction } from '../../api/loyalty.ts'
import { createLoyaltyTransaction } from '../../api/operations/loyalty.ts'
import { show } from '../../cli/result.ts'
import type { CommandSpec } from '../../cli/spec.ts'
import { loyaltyView } from '../../views/loyalty.ts'
import { POINTS_FLAGS, pointsOf } from './points-flags.ts'

export const command: CommandSpec = {
  path: ['loyalty', 'redeem'],
  summary: 'Redeem loyalty points of a customer',
  details:
    'The service offers no way to look a transaction up: when the answer is lost, the provider has to be asked before it is sent again.',
  examples: [
    {
      says: '250 points',
      line: 'pay loyalty redeem --connection-id points-1 --customer-id c-1 --order-id A-1 --value 250',
    },
  ],
  flags: POINTS_FLAGS,
  fixed: { type: 'REDEMPTION' },
  operation: createLoyaltyTransaction,
  confirm: ({ body }) => `Redeem ${pointsOf(body)}`,
  present: show(loyaltyTransaction, loyaltyView),
  effect: 'Takes points from the customer. Given back by pay loyalty refund.',
  related: ['loyalty refund'],
}
