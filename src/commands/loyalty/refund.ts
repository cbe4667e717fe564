import { loyaltyTransaction } from '../../api/loyalty.ts'
import { createLoyaltyTransaction } from '../../api/operations/loyalty.ts'
import { show } from '../../cli/result.ts'
import type { CommandSpec } from '../../cli/spec.ts'
import { loyaltyView } from '../../views/loyalty.ts'
import { POINTS_FLAGS, pointsOf } from './points-flags.ts'

export const command: CommandSpec = {
  path: ['loyalty', 'refund'],
  summary: 'Give loyalty points back to a customer',
  details:
    'The service offers no way to look a transaction up: when the answer is lost, the provider has to be asked before it is sent again.',
  examples: [
    {
      says: '250 points back',
      line: 'pay loyalty refund --connection-id points-1 --customer-id c-1 --order-id A-1 --value 250',
    },
  ],
  flags: POINTS_FLAGS,
  fixed: { type: 'REFUND' },
  operation: createLoyaltyTransaction,
  confirm: ({ body }) => `Give back ${pointsOf(body)}`,
  present: show(loyaltyTransaction, loyaltyView),
  effect: 'Gives points to the customer. It cannot be undone, only redeemed again.',
  related: ['loyalty redeem'],
}
