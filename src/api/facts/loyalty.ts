import type { OperationFacts } from '../operation.ts'

export const LOYALTY_FACTS = {
  'loyalty.create': {
    method: 'POST',
    path: '/loyalty-transactions',
    summary: 'Redeem or return loyalty points',
    ownId: 'id',
    idempotencyKey: false,
    replay: 'never',
    targets: [{ kind: 'points', of: ['connectionId', 'orderId'] }],
    keepsBody: false,
    amount: 'points',
    effect: 'none',
    verdict: 'http-status',
    creates: 'transaction',
    countsRefusals: false,
    clientFields: null,
    command: null,
    words: { deed: 'a transaction', verb: 'do it' },
    notes: ['type defaults to REDEMPTION.'],
    risk: 'money',
    scope: 'loyalty-transactions:write',
    beta: true,
  },
} as const satisfies Readonly<Record<string, OperationFacts>>
