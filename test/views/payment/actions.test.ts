import { describe, expect, test } from 'vitest'
import type { Payment } from '../../../src/api/models/payment.ts'
import { listActions } from '../../../src/views/payment/actions.ts'
import { AUTHORIZED, DECLINED, PARTLY_REFUNDED, WAITING } from '../payments.ts'

const actions = (payment: Payment) =>
  listActions(payment, { id: payment.id ?? 'DdRZ6YY0P', pay: 'pay --profile shop' })

describe('offers the actions that the status allows', () => {
  const names = (payment: Payment) => actions(payment).map(({ action }) => action)
  const settled = (captured: number, refunded: number): Payment => ({
    ...AUTHORIZED,
    status: 'SETTLED',
    processor: { amountCaptured: captured, amountRefunded: refunded },
  })

  test.each<[string, Payment, readonly string[]]>([
    ['waiting for the customer', WAITING, ['resume', 'wait', 'cancel', 'get']],
    ['pending', { ...WAITING, requiredAction: undefined }, ['wait', 'cancel', 'get']],
    ['authorized, amount estimated', AUTHORIZED, ['capture', 'adjust', 'cancel', 'get']],
    [
      'authorized, amount final',
      { ...AUTHORIZED, paymentMethod: { authorizationType: 'FINAL' } },
      ['capture', 'cancel', 'get'],
    ],
    [
      'authorized, no card',
      { ...AUTHORIZED, paymentMethod: { authorizationType: 'ESTIMATED', paymentMethodType: 'PAYPAL' } },
      ['capture', 'cancel', 'get'],
    ],
    ['partially captured', { ...AUTHORIZED, status: 'PARTIALLY_SETTLED' }, ['capture', 'get']],
    [
      'partially captured, with an amount to refund',
      { ...settled(700, 0), status: 'PARTIALLY_SETTLED' },
      ['capture', 'refund', 'get'],
    ],
    ['settling', { ...settled(1000, 0), status: 'SETTLING' }, ['wait', 'refund', 'get']],
    ['settled', settled(1000, 300), ['refund', 'get']],
    ['fully refunded', settled(1000, 1000), ['get']],
    ['a pending refund', PARTLY_REFUNDED, ['wait-refund', 'refund', 'get']],
    ['unknown amounts', { status: 'SETTLED' }, ['refund', 'get']],
    ['declined', DECLINED, ['authorize', 'get']],
    ['declined, processor unknown', { ...DECLINED, processor: undefined }, ['get']],
    [
      'failed without a response from the processor',
      { ...DECLINED, status: 'FAILED', statusReason: { type: 'GATEWAY_TIMEOUT' } },
      ['get'],
    ],
    [
      'declined for good: the same method must not be tried again',
      { ...DECLINED, statusReason: { declineType: 'HARD_DECLINE', code: 'LOST_OR_STOLEN_CARD' } },
      ['get'],
    ],
    [
      'a hard decline with a code that would allow another attempt',
      { ...DECLINED, statusReason: { declineType: 'HARD_DECLINE', code: 'INSUFFICIENT_FUNDS' } },
      ['get'],
    ],
    ['cancelled', { ...AUTHORIZED, status: 'CANCELLED' }, ['get']],
    ['an unknown status', { ...AUTHORIZED, status: 'CHARGED_BACK' }, ['get']],
    ['no status', {}, ['get']],
    [
      'its method is saved',
      { ...AUTHORIZED, status: 'CANCELLED', customerId: 'c-1', paymentMethod: { isVaulted: true } },
      ['get', 'saved-methods'],
    ],
    [
      'its method is saved, for a customer that it does not name',
      { ...AUTHORIZED, status: 'CANCELLED', customerId: undefined, paymentMethod: { isVaulted: true } },
      ['get'],
    ],
  ])('%s', (_, payment, expected) => {
    expect(names(payment)).toEqual(expected)
  })

  test('names the amount that a command moves', () => {
    expect(actions(PARTLY_REFUNDED).find(({ action }) => action === 'refund')).toMatchObject({
      amount: 500,
      risk: 'money',
      operation: 'payment.refund',
      command: 'pay --profile shop payment refund DdRZ6YY0P --amount "5.00 EUR"',
      words: "Refund all 5.00 EUR, or less with a smaller --amount. You can't undo this.",
    })
  })
})

test('writes an amount that --amount accepts, in any currency', () => {
  const commandOf = (payment: Payment) => actions(payment).find(({ action }) => action === 'refund')?.command
  const payment = { ...PARTLY_REFUNDED, currencyCode: 'JPY' }
  expect(commandOf(payment)).toContain('--amount "500 JPY"')
  expect(commandOf({ ...payment, currencyCode: undefined })).toContain('--amount 500')
  expect(commandOf({ ...payment, currencyCode: "E'$" })).toContain('--amount 500')
  expect(commandOf({ ...payment, processor: undefined })).not.toContain('--amount')
})

test('puts no text into a command that a shell would interpret', () => {
  const payment: Payment = {
    ...DECLINED,
    id: 'p1; rm -rf $HOME',
    processor: { name: '$(x)', processorMerchantId: 'a-1' },
  }
  const commands = actions(payment).map(({ command }) => command)
  expect(commands).toEqual([
    'pay --profile shop payment authorize ID --processor-merchant-id a-1',
    'pay --profile shop payment get ID',
  ])
})
