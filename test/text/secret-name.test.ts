import { expect, test } from 'vitest'
import { isSecretName } from '../../src/text/secret-name.ts'

test.each([
  'clientToken',
  'payment_method_token',
  'X-API-KEY',
  'access key',
  'privateKey',
  'Authorization',
  'Set-Cookie',
  'X-Signature',
  'passwd',
  'passPhrase',
  'cvv',
  'CVC2',
  'cvn',
  'csc',
  'pin',
  'pan',
  'security-code',
  'card number',
  'accountNumber',
])('%s names a secret', (name) => {
  expect(isSecretName(name)).toBe(true)
})

test.each(['tokenType', 'id', 'orderId', 'X-Idempotency-Key', 'spin', 'japan', 'key', 'card', 'cookies', ''])(
  '%j names none',
  (name) => {
    expect(isSecretName(name)).toBe(false)
  },
)
