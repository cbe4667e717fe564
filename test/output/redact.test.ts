import { assert, array, integer, property } from 'fast-check'
import { describe, expect, test } from 'vitest'
import { parseJson, stringifyJson } from '../../src/json/json.ts'
import { maskCardNumbers } from '../../src/output/card-number.ts'
import { maskApiKey, redactBody, redactHeaders, redactText, redactUrl } from '../../src/output/redact.ts'

describe('card numbers', () => {
  test.each([
    ['4111111111111111', '[card number]'],
    ['4111 1111 1111 1111', '[card number]'],
    ['4111-1111-1111-1111', '[card number]'],
    ['3782 822463 10005', '[card number]'],
    ['card 4111111111111111, cvv', 'card [card number], cvv'],
    ['4111111111111111EUR', '[card number]EUR'],
    ['eur4111111111111111', 'eur[card number]'],
    ['visa4111 1111 1111 1111x', 'visa[card number]x'],
    ['/p?q=%204111111111111111%3D', '/p?q=%20[card number]%3D'],
    ['"a\\n4111111111111111\\u00e9"', '"a\\n[card number]\\u00e9"'],
    ['4111 1111 1111 1111 12 30', '[card number] 12 30'],
    ['12 4111 1111 1111 1111', '12 [card number]'],
    ['5555555555554444 4111111111111111', '[card number] [card number]'],
    ['1 4111 1111 1111 1111 9 5555-5555-5555-4444 7', '1 [card number] 9 [card number] 7'],
    ['4111111111111111EUR, 4111111111111111 EUR', '[card number]EUR, [card number] EUR'],
    ['4 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1', '[card number]'],
    ['4222222222222', '[card number]'],
    ['4111\u00A01111\u00A01111\u00A01111', '[card number]'],
    ['no. 7.4111111111111111', 'no. 7.[card number]'],
    ['4000000000000002', '[card number]'],
  ])('are masked in %j', (text, masked) => {
    expect(maskCardNumbers(text)).toBe(masked)
  })

  test.each([
    ['a wrong check digit', '4111111111111112'],
    ['12 digits', '411111111114'],
    ['20 digits', '41111111111111111111'],
    ['zeros', '0000000000000000'],
    ['a date', '2026-01-31T09:30:00.123456'],
    ['an amount', '1000 EUR'],
    ['an id with letters around it', 'pay_x4111111111111111y'],
    ['an id that ends in digits', 'saKGm4111111111111111'],
    ['an id that starts with digits', '4111111111111111abcd'],
    ['a UUID', '41111111-1111-4111-9111-111111111102'],
    ['double spaces', '4111 1111  1111 1111'],
    ['calculated decimals', '19.990000000000002 EUR'],
  ])('are not found in %s', (_, text) => {
    expect(maskCardNumbers(text)).toBe(text)
  })

  test('are masked with any digits and grouping', () => {
    const digits = array(integer({ min: 0, max: 9 }), { minLength: 12, maxLength: 18 })
    assert(
      property(digits, integer({ min: 1, max: 6 }), (front, size) => {
        const number = withCheckDigit([1, ...front.slice(1)])
        const grouped = number.match(new RegExp(`.{1,${size}}`, 'g'))?.join('-') ?? ''
        expect(maskCardNumbers(`pay ${number}.`)).toBe('pay [card number].')
        expect(maskCardNumbers(`pay ${grouped}.`)).toContain('[card number]')
      }),
    )
  })
})

function withCheckDigit(front: readonly number[]): string {
  const sum = front
    .toReversed()
    .map((digit, at) => (at % 2 === 0 ? (digit * 2 > 9 ? digit * 2 - 9 : digit * 2) : digit))
    .reduce((a, b) => a + b, 0)
  return front.join('') + String((10 - (sum % 10)) % 10)
}

describe('headers', () => {
  test('show four characters of a long key and nothing of other secrets', () => {
    const headers = {
      'X-API-KEY': 'live_0123456789abcdef',
      Authorization: 'Bearer abc',
      'proxy-authorization': 'Basic abc',
      Cookie: 'a=b',
      'x-client-token': 'ey',
      'x-idempotency-key': 'refund-20261121000420',
      'x-order': '20261121000420',
      'content-type': 'application/json',
    }
    expect(redactHeaders(headers)).toEqual({
      'X-API-KEY': '••••cdef',
      Authorization: '[redacted]',
      'proxy-authorization': '[redacted]',
      Cookie: '[redacted]',
      'x-client-token': '[redacted]',
      'x-idempotency-key': 'refund-20261121000420',
      'x-order': '[card number]',
      'content-type': 'application/json',
    })
  })

  test.each([
    ['', '••••'],
    ['sandbox_all', '••••'],
    ['15_characters_x', '••••'],
    ['16_characters_xy', '••••s_xy'],
  ])('show the key %j as %s', (key, shown) => {
    expect(maskApiKey(key)).toBe(shown)
  })
})

describe('bodies', () => {
  test('lose secrets by field name at any depth', () => {
    const body = {
      clientToken: 'ey1',
      payment_method_token: 'tok',
      data: [
        { token: 't', tokenType: 'MULTI_USE', vaultedPaymentMethodToken: 'v', isNetworkTokenized: true },
      ],
      card: { number: '4111111111111112', cvv: 737, expiryMonth: '03', number2: '12' },
      address: { number: '12', country: 'Japan', japan: 'x' },
      resumeToken: null,
    }
    expect(redactBody(body)).toEqual({
      clientToken: '[redacted]',
      payment_method_token: '[redacted]',
      data: [
        {
          token: '[redacted]',
          tokenType: 'MULTI_USE',
          vaultedPaymentMethodToken: '[redacted]',
          isNetworkTokenized: true,
        },
      ],
      card: { number: '[redacted]', cvv: '[redacted]', expiryMonth: '03', number2: '12' },
      address: { number: '12', country: 'Japan', japan: 'x' },
      resumeToken: null,
    })
  })

  test('lose card numbers in text, numbers and keys', () => {
    const body = parseJson(
      '{"note":"card 4111 1111 1111 1111","n":4111111111111111,"big":5555555555554444,"4111111111111111":1,"amount":700,"rate":1.10}',
    )
    expect(stringifyJson(redactBody(body))).toBe(
      '{"note":"card [card number]","n":"[redacted]","big":"[redacted]","[card number]":1,"amount":700,"rate":1.10}',
    )
  })

  test('keep __proto__ as a plain key', () => {
    const redacted = redactBody(parseJson('{"__proto__":{"token":"t"}}'))
    expect(stringifyJson(redacted)).toBe('{"__proto__":{"token":"[redacted]"}}')
  })

  test.each([[undefined], [null], [true], ['text'], [5]])('that are only %j are unchanged', (value) => {
    expect(redactBody(value)).toBe(value)
  })
})

describe('text', () => {
  test('loses known secrets in every form', () => {
    const secret = 'a"b/c d'
    const text = `plain ${secret}, url ${encodeURIComponent(secret)}, json ${JSON.stringify(secret)}`
    expect(redactText(text, [secret])).toBe('plain [redacted], url [redacted], json "[redacted]"')
  })

  test('loses the longer of two secrets with the same beginning', () => {
    expect(redactText('key abcdefgh', ['abcd', 'abcdefgh'])).toBe('key [redacted]')
  })

  test('is unchanged by an empty or very short secret', () => {
    expect(redactText('a payment', ['', 'a'])).toBe('a payment')
  })

  test('accepts a secret that cannot be URL-encoded', () => {
    expect(redactText('x\uD800yz', ['x\uD800yz'])).toBe('[redacted]')
  })

  test('loses card numbers without a list of secrets', () => {
    expect(redactText('number 4111111111111111', [])).toBe('number [card number]')
  })
})

test.each([
  ['https://h/client-session?clientToken=ey.a&x=1', 'https://h/client-session?clientToken=[redacted]&x=1'],
  ['https://h/p?x=1&client_token=ey#f', 'https://h/p?x=1&client_token=[redacted]#f'],
  ['https://h/p??token=ey&a?b?pan=1', 'https://h/p??token=[redacted]&a?b?pan=[redacted]'],
  ['https://me:pass@h/p', 'https://[redacted]@h/p'],
  ['https://h/payment-instruments/to%2Fken1/vault', 'https://h/payment-instruments/[redacted]/vault'],
  ['https://h/payments?customer_id=c@d', 'https://h/payments?customer_id=c@d'],
])('urls: %s is shown as %s', (url, shown) => {
  expect(redactUrl(url, ['to/ken1'])).toBe(shown)
})
