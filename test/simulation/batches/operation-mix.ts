import type { BatchOperation } from '../../../src/rows/batch/plan.ts'
import { prepare, textAt } from '../prepare.ts'
import type { Random } from '../random.ts'
import type { Service } from '../service.ts'

type Weighted<T> = readonly (readonly [weight: number, value: T])[]

/** What the people of one history do, and to which payments. Most do one thing, so that it often meets itself. */
export interface OperationMix {
  readonly ofPlans: Weighted<BatchOperation>
  readonly ofSingles: Weighted<BatchOperation>
  readonly payments: Weighted<'authorized' | 'part captured' | 'captured'>
}

const REFUNDS: OperationMix = {
  ofPlans: [[1, 'refund']],
  ofSingles: [[1, 'refund']],
  payments: [
    [8, 'captured'],
    [1, 'part captured'],
  ],
}
const CAPTURES: OperationMix = {
  ofPlans: [[1, 'capture']],
  ofSingles: [
    [6, 'capture'],
    [1, 'cancel'],
    [2, 'refund'],
  ],
  payments: [
    [3, 'authorized'],
    [1, 'part captured'],
  ],
}
const CANCELLATIONS: OperationMix = {
  ofPlans: [[1, 'cancel']],
  ofSingles: [
    [3, 'cancel'],
    [1, 'capture'],
  ],
  payments: [[1, 'authorized']],
}
const ALL: Weighted<BatchOperation> = [
  [3, 'refund'],
  [3, 'capture'],
  [1, 'cancel'],
]
const EVERYTHING: OperationMix = {
  ofPlans: ALL,
  ofSingles: ALL,
  payments: [
    [2, 'authorized'],
    [2, 'part captured'],
    [1, 'captured'],
  ],
}
const MIXES: Weighted<OperationMix> = [
  [4, REFUNDS],
  [4, CAPTURES],
  [2, CANCELLATIONS],
  [2, EVERYTHING],
]

export const drawMix = (random: Random): OperationMix => random.weighted(MIXES)

/** One to three payments of 10.00 EUR. */
export async function makePayments(
  service: Service,
  { payments }: OperationMix,
  random: Random,
): Promise<[string, ...string[]]> {
  const make = async (orderId: string): Promise<string> => {
    const paymentMethodToken = random.weighted([
      [6, 'tok_visa'],
      [1, 'tok_async'],
    ])
    const id = textAt(
      await prepare(service, 'POST', '/payments', {
        paymentMethodToken,
        paymentMethod: { authorizationType: 'ESTIMATED' },
        orderId,
        currencyCode: 'EUR',
        amount: 1_000,
      }),
      'id',
    )
    const state = random.weighted(payments)
    if (state !== 'authorized')
      await prepare(
        service,
        'POST',
        `/payments/${id}/capture`,
        state === 'captured' ? undefined : { amount: 400, final: false },
      )
    return id
  }
  const first = await make('order-1')
  const rest: string[] = []
  for (let left = random.below(3); left > 0; left -= 1) rest.push(await make(`order-${rest.length + 2}`))
  return [first, ...rest]
}
