import { describe, expect, test } from 'vitest'
import { exitOfAnswer, warningOfAnswer } from '../../../src/client/calls/exit-code.ts'

const refund = (more: object = {}) => ({
  transactionType: 'REFUND',
  amount: 300,
  processorStatus: 'SETTLED',
  ...more,
})
const timedOut = { status: 'FAILED', statusReason: { type: 'GATEWAY_TIMEOUT' } }

const exitOfRefund = (payment: unknown) => exitOfAnswer('payment.refund', 200, { amount: 300 }, payment)

describe('the exit code of a complete 2xx', () => {
  test.each(['payment.create', 'payment.authorize', 'payment.capture', 'payment.resume'])(
    '%s is 13 for a declined or failed payment, 10 when the processor never answered, else 0',
    (operation) => {
      const exitOf = (payment: unknown) => exitOfAnswer(operation, 200, {}, payment)
      expect(exitOf({ status: 'DECLINED' })).toBe(13)
      expect(exitOf({ status: 'FAILED' })).toBe(13)
      expect(exitOf({ status: 'FAILED', statusReason: { type: 'APPLICATION_ERROR' } })).toBe(13)
      expect(exitOf({ status: 'DECLINED', statusReason: { type: 'GATEWAY_TIMEOUT' } })).toBe(13)
      expect(exitOf(timedOut)).toBe(10)
      for (const status of [
        'PENDING',
        'AUTHORIZED',
        'SETTLED',
        'declined',
        'A_STATUS_OF_NEXT_YEAR',
        undefined,
        5,
      ])
        expect(exitOf({ status })).toBe(0)
    },
  )

  test('a pending payment with a requiredAction is accepted: 0', () => {
    const payment = { status: 'PENDING', requiredAction: { name: '3DS_AUTHENTICATION' } }
    expect(exitOfAnswer('payment.create', 200, {}, payment)).toBe(0)
  })

  test.each([undefined, null, [], 'text', 5])('an answer that is no payment (%j) is no failure', (answer) => {
    for (const operation of ['payment.create', 'payment.refund', 'payment.adjust', 'loyalty.create'])
      expect(exitOfAnswer(operation, 200, {}, answer)).toBe(0)
  })

  test('202 is not finished for resume alone', () => {
    expect(exitOfAnswer('payment.resume', 202, {}, { error: { errorId: 'NoActionsToHandle' } })).toBe(8)
    expect(exitOfAnswer('payment.resume', 202, {}, undefined)).toBe(8)
    expect(exitOfAnswer('payment.create', 202, {}, {})).toBe(0)
  })

  test('a refund follows its own transaction, not the payment', () => {
    expect(exitOfRefund({ status: 'FAILED' })).toBe(0)
    expect(exitOfRefund({ transactions: [refund()] })).toBe(0)
    expect(exitOfRefund({ transactions: [refund({ processorStatus: 'PENDING' })] })).toBe(0)
    expect(exitOfRefund({ transactions: [refund({ processorStatus: 'FAILED' })] })).toBe(13)
    expect(exitOfRefund({ transactions: [refund({ processorStatus: 'DECLINED' })] })).toBe(13)
    expect(exitOfRefund({ transactions: [refund({ processorStatus: 'FAILED', amount: 200 })] })).toBe(0)
    expect(
      exitOfRefund({ transactions: [refund({ processorStatus: 'FAILED', transactionType: 'SALE' })] }),
    ).toBe(0)
  })

  test('a refund whose processor never answered may have been paid out: 10', () => {
    const own = refund({ processorStatus: 'FAILED', processorStatusReason: { type: 'GATEWAY_TIMEOUT' } })
    expect(exitOfAnswer('payment.refund', 200, { amount: 300 }, { transactions: [own] })).toBe(10)
  })

  test.each(['payment.adjust', 'payment.cancel'])(
    '%s is 10 when the processor never answered, and never 13',
    (operation) => {
      expect(exitOfAnswer(operation, 200, {}, timedOut)).toBe(10)
      expect(exitOfAnswer(operation, 200, {}, { status: 'DECLINED' })).toBe(0)
    },
  )

  test.each(['payment.get', 'payment.list', 'observability.push', 'api'])(
    'what a payment is like is no matter to %s',
    (operation) => {
      expect(exitOfAnswer(operation, 200, {}, timedOut)).toBe(0)
      expect(exitOfAnswer(operation, 200, {}, { status: 'DECLINED' })).toBe(0)
    },
  )
})

describe('which transaction is the refund of this call', () => {
  const [early, late] = ['2026-03-01T00:00:00', '2026-03-02T00:00:00']
  const failed = (more: object = {}) => refund({ processorStatus: 'FAILED', ...more })
  const pending = (more: object = {}) => refund({ processorStatus: 'PENDING', ...more })
  const unanswered = (more: object = {}) =>
    failed({ processorStatusReason: { type: 'GATEWAY_TIMEOUT' }, ...more })

  test.each([
    ['the latest by date failed', 13, [failed({ date: late }), refund({ date: early })]],
    ['the latest by date was never answered', 10, [unanswered({ date: late }), refund({ date: early })]],
    ['the latest by date is pending', 0, [pending({ date: late }), failed({ date: early })]],
    ['an older one was never answered', 13, [unanswered({ date: early }), failed({ date: late })]],
    ['the pending one has no date', 0, [pending(), failed({ date: early })]],
    ['the failed one has no date', 0, [pending({ date: early }), failed()]],
    ['none has a date', 0, [pending(), failed()]],
    ['both have the latest date', 0, [pending({ date: late }), failed({ date: late })]],
    ['all failed, without dates', 13, [failed(), failed()]],
    ['all failed, some with a date', 13, [failed({ date: late }), failed()]],
    ['all failed, and any may be the one that was never answered', 10, [unanswered(), failed()]],
    ['another amount is pending', 13, [pending({ amount: 200, date: late }), failed({ date: early })]],
    ['there is none', 0, []],
    ['there is nothing to read in them', 0, [null, 'x', {}]],
  ])('%s: %i', (_, exitCode, transactions) => {
    expect(exitOfRefund({ transactions })).toBe(exitCode)
    expect(exitOfRefund({ transactions: transactions.toReversed() })).toBe(exitCode)
  })

  test('is the only one with its words, where no dates tell', () => {
    const request = { amount: 300, reason: 'broken', orderId: 'A-1' }
    const exitOf = (...transactions: readonly object[]) => {
      const answer = { transactions }
      return [
        exitOfAnswer('payment.refund', 200, request, answer),
        warningOfAnswer('payment.refund', request, answer) !== undefined,
      ]
    }
    const words = { reason: 'broken', orderId: 'A-1' }
    expect(exitOf(refund(), failed(words))).toEqual([13, false])
    expect(exitOf(refund(words), failed())).toEqual([0, false])
    expect(exitOf(refund(words), failed(words))).toEqual([0, true])
    expect(exitOf(refund(), failed({ reason: 'broken' }))).toEqual([0, true])
    expect(exitOf(refund({ date: late }), failed({ ...words, date: early }))).toEqual([0, false])
  })

  test.each([
    ['one has failed', '1 of 2 refunds that match this one has failed', [failed(), refund()]],
    ['two have', '2 of 3 refunds that match this one have failed', [failed(), refund(), unanswered()]],
    ['all have, which the exit code tells', undefined, [failed(), failed()]],
    ['none has', undefined, [refund(), pending()]],
    ['the latest, which the exit code tells', undefined, [failed({ date: late }), refund({ date: early })]],
    ['an older one has', undefined, [failed({ date: early }), refund({ date: late })]],
    ['there is none', undefined, []],
  ])('is a warning if the response does not identify it: %s', (_, words, transactions) => {
    const warning = warningOfAnswer('payment.refund', { amount: 300 }, { transactions })
    if (words === undefined) expect(warning).toBeUndefined()
    else expect(warning).toContain(words)
    expect(warningOfAnswer('payment.capture', { amount: 300 }, { transactions })).toBeUndefined()
  })

  test('any amount may be that of a refund of the rest', () => {
    const exitOfRest = (transactions: unknown) => exitOfAnswer('payment.refund', 200, {}, { transactions })
    expect(exitOfRest([refund({ amount: 5, date: early }), failed({ date: late })])).toBe(13)
    expect(exitOfRest([refund({ amount: 5 }), failed()])).toBe(0)
    expect(exitOfRest(null)).toBe(0)
  })
})

test.each(['PROCESSOR_DECLINED', 'failed', 'REJECTED', 7, '', '\u001b[31m'])(
  'a refund in the state %j, which is none of ours, is warned of',
  (processorStatus) => {
    const transactions = [{ transactionType: 'REFUND', amount: 300, processorStatus }]
    const warning = warningOfAnswer('payment.refund', { amount: 300 }, { transactions })
    expect(warning).toContain("a state that pay doesn't know")
    expect(warning).not.toContain('\u001b')
    expect(exitOfAnswer('payment.refund', 200, { amount: 300 }, { transactions })).toBe(0)
  },
)
