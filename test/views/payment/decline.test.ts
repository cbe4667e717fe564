import { describe, expect, test } from 'vitest'
import { SETS } from '../../../src/api/sets.ts'
import { DECLINE_CODES, explainDecline } from '../../../src/views/payment/decline.ts'

describe('retry advice', () => {
  const codes = SETS.statusReasonCode.values ?? []

  test('explains every known code', () => {
    expect(codes.filter((code) => !Object.hasOwn(DECLINE_CODES, code))).toEqual([])
  })

  test.each<[string, Parameters<typeof explainDecline>[0], string]>([
    ['insufficient funds', { declineType: 'SOFT_DECLINE', code: 'INSUFFICIENT_FUNDS' }, 'later'],
    ['authentication required', { declineType: 'SOFT_DECLINE', code: 'AUTHENTICATION_REQUIRED' }, 'customer'],
    [
      'a hard decline, regardless of the code',
      { declineType: 'HARD_DECLINE', code: 'INSUFFICIENT_FUNDS' },
      'other-method',
    ],
    [
      'a stolen card, even in a soft decline',
      { declineType: 'SOFT_DECLINE', code: 'LOST_OR_STOLEN_CARD' },
      'other-method',
    ],
    ['no processor response', { type: 'GATEWAY_TIMEOUT', declineType: 'HARD_DECLINE' }, 'look-first'],
    ['an unknown code', { code: 'NEW_ONE' }, 'unknown'],
    ['a code named like an object property', { code: 'constructor' }, 'unknown'],
    ['no reason', undefined, 'unknown'],
  ])('%s', (_, reason, retry) => {
    expect(explainDecline(reason).retry).toBe(retry)
  })
})
