import { describe, expect, test } from 'vitest'
import { checkLimits } from '../../../src/client/config/limits.ts'
import type { LimitedRequest } from '../../../src/client/config/limits.ts'
import type { Limits } from '../../../src/client/config/profile.ts'
import { LimitError } from '../../../src/errors.ts'

const formatMoney = (amountMinor: number, currencyCode: string) => `${amountMinor / 100} ${currencyCode}`
const check = (limits: Partial<Limits>, request: Omit<LimitedRequest, 'formatMoney'>) =>
  checkLimits({ readOnly: false, ...limits }, 'shop', { ...request, formatMoney })
const refused = (judge: () => ReturnType<typeof checkLimits>): LimitError => {
  const verdict = judge()
  return verdict instanceof LimitError ? verdict : expect.unreachable(`it is ${verdict}`)
}
const refund = { operationId: 'payment.refund', risk: 'money' } as const
const MAX = { maxAmount: { EUR: 50_000, JPY: 0 } }

test.each([refund, { operationId: undefined, risk: 'money' } as const])(
  'without limits: %o is allowed',
  (request) => {
    expect(check({}, request)).toBe('ok')
  },
)

test.each([{ readOnly: true }, { operations: [] }, MAX])('a read is always allowed: %o', (limits) => {
  expect(check(limits, { operationId: 'payment.get', risk: 'read' })).toBe('ok')
  expect(check(limits, { operationId: undefined, risk: 'read' })).toBe('ok')
})

describe('a read-only profile', () => {
  test.each(['write', 'money', 'destructive'] as const)('refuses an operation of risk %s', (risk) => {
    const error = refused(() => check({ readOnly: true }, { operationId: 'session.create', risk }))
    expect(error).toMatchObject({ code: 'profile_limit', exitCode: 12 })
    expect(error.details.outcome).toBe('none')
    expect(error.message).toBe('Profile "shop" is read-only, but session.create makes changes')
  })

  test('refuses an unknown call', () => {
    const error = refused(() => check({ readOnly: true }, { operationId: undefined, risk: 'money' }))
    expect(error.message).toContain('this call')
  })
})

describe('a list of operations', () => {
  const limits = { operations: ['payment.refund', 'session.create'] }

  test('allows listed operations', () => {
    expect(check(limits, refund)).toBe('ok')
  })

  test.each([
    [limits, 'It allows payment.refund, session.create.'],
    [{ operations: [] }, 'It allows no writes.'],
  ])('refuses others: %o', (some, hint) => {
    const error = refused(() => check(some, { operationId: 'payment.capture', risk: 'money' }))
    expect(error.message).toBe('Profile "shop" does not allow payment.capture')
    expect(error.details.hint).toContain(hint)
    expect(error.details.hint).toContain('Ask the person who set this limit')
  })

  test('refuses an unknown call', () => {
    expect(refused(() => check(limits, { operationId: undefined, risk: 'write' })).exitCode).toBe(12)
  })
})

describe('a maximum amount', () => {
  test.each([
    [50_000, 'EUR'],
    [0, 'EUR'],
    [0, 'JPY'],
  ])('allows %d %s', (amountMinor, currencyCode) => {
    expect(check(MAX, { ...refund, amount: { amountMinor, currencyCode } })).toBe('ok')
  })

  test.each([
    [50_001, 'EUR'],
    [1, 'JPY'],
    [-1, 'EUR'],
    [Number.NaN, 'EUR'],
    [Number.POSITIVE_INFINITY, 'EUR'],
  ])('refuses %d %s', (amountMinor, currencyCode) => {
    const error = refused(() => check(MAX, { ...refund, amount: { amountMinor, currencyCode } }))
    expect(error.exitCode).toBe(12)
    expect(error.details.hint).toContain('Ask the person who set this limit')
  })

  test('shows both amounts as money', () => {
    const error = refused(() =>
      check(MAX, { ...refund, amount: { amountMinor: 70_000, currencyCode: 'EUR' } }),
    )
    expect(error.message).toBe('payment.refund of 700 EUR exceeds the limit of profile "shop": 500 EUR')
  })

  test.each([
    'payment.create',
    'payment.authorize',
    'payment.capture',
    'payment.refund',
    'payment.adjust',
    'payment.resume',
  ])('applies to %s', (operationId) => {
    const amount = { amountMinor: 50_001, currencyCode: 'EUR' }
    expect(refused(() => check(MAX, { operationId, risk: 'money', amount })).exitCode).toBe(12)
  })

  test.each(['payment.cancel', 'session.create', 'loyalty.create', 'observability.push'])(
    'does not apply to %s, which moves no amount',
    (operationId) => {
      const amount = { amountMinor: 50_001, currencyCode: 'EUR' }
      expect(check(MAX, { operationId, risk: 'write', amount })).toBe('ok')
    },
  )

  test.each(['USD', 'eur', '__proto__', 'constructor'])(
    'refuses a currency without a limit: %s',
    (currencyCode) => {
      for (const amountMinor of [1, undefined]) {
        const error = refused(() => check(MAX, { ...refund, amount: { amountMinor, currencyCode } }))
        expect(error.message).toContain(`has no limit for ${currencyCode}`)
        expect(error.details.hint).toContain('EUR, JPY')
        expect(error.details.hint).toContain('Ask the person who set this limit')
      }
    },
  )

  test('refuses every amount when it lists no currency', () => {
    const amount = { amountMinor: 1, currencyCode: 'EUR' }
    expect(refused(() => check({ maxAmount: {} }, { ...refund, amount })).details.hint).toContain('none')
  })

  test.each([
    [undefined, 'currency'],
    [{}, 'currency'],
    [{ amountMinor: 1 }, 'currency'],
    [{ currencyCode: 'EUR' }, 'amount'],
  ])('needs the payment for %o, and refuses if the payment lacks it too', (amount, missing) => {
    const request = { ...refund, ...(amount === undefined ? {} : { amount }) }
    expect(check(MAX, request)).toBe('needs-payment')
    const error = refused(() => check(MAX, { ...request, isFinalCheck: true }))
    expect(error.exitCode).toBe(12)
    expect(error.message).toContain(`the ${missing} is unknown`)
  })

  test('refuses a call without an operation', () => {
    const amount = { amountMinor: 1, currencyCode: 'EUR' }
    const error = refused(() => check(MAX, { operationId: undefined, risk: 'money', amount }))
    expect(error.message).toContain('unknown path')
  })
})

test('limits the amount of a listed operation, too', () => {
  const amount = { amountMinor: 50_001, currencyCode: 'EUR' }
  const limits = { ...MAX, operations: ['payment.refund'] }
  expect(refused(() => check(limits, { ...refund, amount })).message).toContain('exceeds the limit')
})
