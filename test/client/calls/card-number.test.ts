import { assert, property, stringMatching } from 'fast-check'
import { describe, expect, test } from 'vitest'
import { refuseCardNumber } from '../../../src/client/calls/card-number.ts'
import { PayError } from '../../../src/errors.ts'
import { parseJson } from '../../../src/json/json.ts'

function refusalOf(value: unknown): PayError | undefined {
  try {
    refuseCardNumber(value)
    return undefined
  } catch (error) {
    if (error instanceof PayError) return error
    throw error
  }
}

const refusalOfToken = (paymentMethodToken: unknown) => refusalOf({ paymentMethodToken })

describe('a payment method token', () => {
  test.each([
    '4111111111111111',
    '4111 1111 1111 1111',
    '4111-1111-1111-1111',
    ' 4242424242424242 ',
    '378282246310005',
    '30569309025904',
    '4222222222222',
    '6304000000000000000',
  ])('that is a card number is refused without repeating it: %s', (number) => {
    const error = refusalOfToken(number)
    expect(error).toMatchObject({ code: 'card_number', exitCode: 2, details: { outcome: 'none' } })
    const digits = number.replaceAll(/\D/g, '')
    expect(error?.message).toContain(`ending in ${digits.slice(-4)}`)
    expect(JSON.stringify([error?.message, error?.details])).not.toMatch(/\d{5}/)
  })

  test.each([4_111_111_111_111_111, 4_111_111_111_111_111n, parseJson('4111111111111111.0')])(
    'may be a number in an unchecked body: %s',
    (number) => {
      expect(refusalOfToken(number) !== undefined).toBe(!String(number).includes('.'))
    },
  )

  test('is found at any depth', () => {
    const paymentMethodToken = '4111111111111111'
    expect(refusalOf([{}, { paymentMethod: [{ paymentMethodToken }] }])).toBeDefined()
  })

  test.each([
    'tok_visa',
    'tok_4111111111111111',
    '4111111111111112',
    '411111111111',
    '0000000000000000',
    '41111111111111110000',
    '4111111111111111a',
    '8a3c1b2e-4111-4111-8111-111111111111',
    '',
    null,
    undefined,
  ])('that is none is not: %s', (token) => expect(refusalOfToken(token)).toBeUndefined())

  test('that has a letter is not', () => {
    assert(
      property(stringMatching(/^[\w-]{0,18}[a-zA-Z_][\w-]{0,18}$/), (token) => {
        expect(refusalOfToken(token)).toBeUndefined()
      }),
    )
  })
})

test.each(['id', 'orderId', 'paymentId', 'customerId', 'clientToken', 'description'])(
  '%s is never refused',
  (name) =>
    expect(refusalOf({ [name]: '4111111111111111', order: { id: '4111111111111111' } })).toBeUndefined(),
)
