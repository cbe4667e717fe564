import { array, assert, constantFrom, property } from 'fast-check'
import { describe, expect, test } from 'vitest'
import { matchesPattern, readPattern } from '../../../src/sandbox/faults/pattern.ts'
import { scaledRuns } from '../../support/test-effort.ts'

describe('patterns', () => {
  test.each([
    ['POST /payments/*/refund', 'POST /payments/*/refund'],
    ['  post   /payments/  ', 'POST /payments'],
    ['* /**', '* /**'],
    ['/payments/*', '* /payments/*'],
    ['/', '* /'],
    ['/***/a****', '* /**/a**'],
    [`/${'*'.repeat(298)}`, '* /**'],
    [`/${'*a'.repeat(10)}`, `* /${'*a'.repeat(10)}`],
    ['GET /', 'GET /'],
  ])('reads %j as %j', (given, pattern) => {
    expect(readPattern(given)).toBe(pattern)
  })

  test.each([
    ['', 'must start with *'],
    ['POST', 'needs a path'],
    ['*', 'needs a path'],
    ['PSOT /payments', 'did you mean POST?'],
    ['FETCH-ALL /payments', 'must start with *, GET'],
    ['HEAD /payments', 'must start with *, GET'],
    ['POST payments', "doesn't start with /"],
    ['POST https://api.example.com/payments', "doesn't start with /"],
    ['/payments POST', 'put the method first'],
    ['GET /payments?limit=1', 'contains a query'],
    ['GET /payments#a', 'contains a query'],
    ['GET /a b', 'at most'],
    ['GET /größe', 'percent-encoded'],
    ['GET /\u0000', 'percent-encoded'],
    [`GET /${'x'.repeat(400)}`, 'at most 300'],
    [`/${'*a'.repeat(11)}`, 'has 11 stars in its path; the limit is 10'],
    [`GET /${'**/'.repeat(98)}`, 'has 98 stars in its path; the limit is 10'],
    [5, 'must be a method and a path'],
    [null, 'must be a method and a path'],
  ])('refuses %j', (given, says) => {
    expect(() => readPattern(given)).toThrow(says)
  })

  test.each([
    ['POST /payments/*/refund', 'POST', '/payments/p1/refund', true],
    ['POST /payments/*/refund', 'POST', '/payments/p1/refund/', true],
    ['POST /payments/*/refund', 'GET', '/payments/p1/refund', false],
    ['POST /payments/*/refund', 'POST', '/payments/p1/capture', false],
    ['POST /payments/*/refund', 'POST', '/payments/p1/x/refund', false],
    ['POST /payments/*/refund', 'POST', '/v2/payments/p1/refund', false],
    ['POST /payments/*/refund', 'POST', '/payments/p1/refunds', false],
    ['* /payments', 'GET', '/payments', true],
    ['* /payments', 'DELETE', '/payments/', true],
    ['* /payments', 'GET', '/payments/p1', false],
    ['* /payments/*', 'GET', '/payments/', false],
    ['* /payments/p*1', 'GET', '/payments/p1', true],
    ['* /payments/p*1', 'GET', '/payments/p2001', true],
    ['* /payments/p*1', 'GET', '/payments/p/1', false],
    ['* /payments**', 'GET', '/payments', true],
    ['* /payments**', 'GET', '/payments/p1/refund', true],
    ['* /**/refund', 'POST', '/payments/p1/refund', true],
    ['* /**/refund', 'POST', '/payments/p1/capture', false],
    ['* /**', 'GET', '/', true],
    ['* /a.c', 'GET', '/abc', false],
    ['* /(a|b)', 'GET', '/a', false],
    ['* /a*', 'GET', '/a*', true],
    ['* /***', 'GET', '/a/b', true],
  ])('%s on %s %s: %s', (pattern, method, path, is) => {
    expect(matchesPattern(pattern, method, path)).toBe(is)
  })

  test.each(['', '/x', 'c'])(
    'matches the longest pattern quickly against a long path that ends in %j',
    (end) => {
      const literal = 'a'.repeat(140)
      const path = `/${'a'.repeat(4000)}/${'ab'.repeat(4000)}${end}`
      expect(matchesPattern(`* /**a*${literal}b**${literal}`, 'GET', path)).toBe(false)
      expect(matchesPattern(`* /${'**a*b'.repeat(5)}c`, 'GET', path)).toBe(end === 'c')
    },
  )

  test('stars match what the equivalent regular expression matches', () => {
    const text = (...signs: readonly string[]) =>
      array(constantFrom(...signs), { maxLength: 12 }).map((list) => list.join(''))
    assert(
      property(text('a', 'b', '/', '*', '*', '**'), text('a', 'a', 'b', '/'), (pattern, path) => {
        const regular = pattern.replaceAll(/\*+/g, (stars) => (stars.length === 1 ? '[^/]*' : '.*'))
        // A trailing slash doesn't count.
        const isAsIs = path !== '' && !path.endsWith('/')
        if (isAsIs)
          expect(matchesPattern(`* ${pattern}`, 'GET', path)).toBe(new RegExp(`^${regular}$`).test(path))
      }),
      { numRuns: scaledRuns(1_000) },
    )
  })
})
