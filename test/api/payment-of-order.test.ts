import { describe, expect, test } from 'vitest'
import { areSeveral, decidePaymentOfOrder } from '../../src/api/payment-of-order.ts'

const NOTHING = { amountCaptured: 0, amountRefunded: 0 }
const PAID = { status: 'SETTLED', processor: { amountCaptured: 500, amountRefunded: 0 } }
const over = (status: string, more: object = {}) => ({ status, processor: NOTHING, ...more })
const overWith = (status: string, transaction: object) => over(status, { transactions: [transaction] })
const decide = (payments: readonly unknown[], isFull = false) =>
  decidePaymentOfOrder(payments.map((payment) => ({ payment, isFull })))

describe('the payment of an order with several', () => {
  test.each(['DECLINED', 'FAILED', 'CANCELLED'])(
    'is the one beside a %s one that captured nothing',
    (status) => {
      expect(decide([over(status), PAID])).toEqual({ kind: 'one', at: 1 })
      expect(decide([PAID, over(status), over(status)])).toEqual({ kind: 'one', at: 0 })
    },
  )

  test.each<readonly [string, unknown]>([
    ['two settled', PAID],
    ['a fully refunded one', { status: 'SETTLED', processor: { amountCaptured: 5, amountRefunded: 5 } }],
    ['an authorized one', { status: 'AUTHORIZED', processor: NOTHING }],
    ['a pending one', { status: 'PENDING', processor: NOTHING }],
    ['a status of a later version', { status: 'REVERSED', processor: NOTHING }],
    ['no status', { processor: NOTHING }],
    ['a cancelled one once captured', over('CANCELLED', { processor: { ...NOTHING, amountCaptured: 1 } })],
    ['a failed one that was refunded', over('FAILED', { processor: { ...NOTHING, amountRefunded: 1 } })],
    ['figures that cannot be read', over('DECLINED', { processor: { ...NOTHING, amountCaptured: '0.00' } })],
    ['a processor that cannot be read', over('DECLINED', { processor: 'A' })],
    ['transactions that cannot be read', over('DECLINED', { transactions: 'none' })],
    ['a refund', overWith('CANCELLED', { transactionType: 'REFUND', processorStatus: 'FAILED' })],
    ['a refund named by type', overWith('CANCELLED', { type: 'REFUND', processorStatus: 'FAILED' })],
    ['a settled sale', overWith('FAILED', { transactionType: 'SALE', processorStatus: 'SETTLED' })],
    ['a sale of unknown state', overWith('FAILED', { transactionType: 'SALE', processorStatus: 'X' })],
    ['no object', 'p2'],
  ])('is not chosen beside %s', (_, other) => {
    expect(decide([PAID, other])).toEqual({ kind: 'several' })
    expect(decide([PAID, other], true)).toEqual({ kind: 'several' })
  })

  test('is none of those that are all over', () => {
    expect(decide([over('DECLINED'), over('CANCELLED')])).toEqual({ kind: 'several' })
  })

  test('needs a full read of those whose figures the list lacks', () => {
    expect(decide([{ status: 'DECLINED' }, PAID, { status: 'FAILED', processor: {} }])).toEqual({
      kind: 'read',
      at: [0, 2],
    })
  })

  test('a full read without figures clears a payment that was never authorized, not a cancelled one', () => {
    expect(decide([{ status: 'DECLINED' }, PAID], true)).toEqual({ kind: 'one', at: 1 })
    expect(decide([{ status: 'FAILED' }, PAID], true)).toEqual({ kind: 'one', at: 1 })
    expect(decide([{ status: 'CANCELLED' }, PAID], true)).toEqual({ kind: 'several' })
  })

  test('is chosen beside any number of tries that the list shows, and beside 20 that have to be read', () => {
    const tries = Array.from({ length: 30 }, () => over('DECLINED'))
    expect(decide([PAID, ...tries])).toEqual({ kind: 'one', at: 0 })
    const unknown = Array.from({ length: 20 }, () => ({ status: 'DECLINED' }))
    expect(decide([PAID, ...unknown])).toMatchObject({ kind: 'read' })
    expect(decide([PAID, ...unknown, { status: 'DECLINED' }])).toEqual({ kind: 'several' })
  })
})

test('further payments can change nothing once two are not over', () => {
  expect(areSeveral([])).toBe(false)
  expect(areSeveral([PAID, over('DECLINED'), over('CANCELLED')])).toBe(false)
  expect(areSeveral([over('DECLINED'), over('DECLINED')])).toBe(false)
  expect(areSeveral([PAID, over('DECLINED'), { status: 'REVERSED' }])).toBe(true)
})
