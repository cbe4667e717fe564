import { array, assert, constantFrom, property } from 'fast-check'
import { describe, expect, test } from 'vitest'
import { parseEffect, readEffect } from '../../../src/sandbox/faults/parse-effect.ts'
import { matchesPattern, readPattern } from '../../../src/sandbox/faults/pattern.ts'
import { readFault } from '../../../src/sandbox/faults/read-fault.ts'
import { scaledRuns } from '../../support/test-effort.ts'

const REFUNDS = 'POST /payments/*/refund'
const random = () => 0.25

describe('a fault', () => {
  test('defaults to every request from the first, with a random seed', () => {
    expect(readFault({ on: REFUNDS, do: 'drop-after' }, random)).toEqual({
      fault: { on: REFUNDS, do: 'drop-after', rate: 1, seed: 250_000, skip: 0 },
    })
  })

  test('keeps the given values', () => {
    const fault = { on: REFUNDS, do: 'delay=2s', rate: 0.2, seed: 7, times: 3, skip: 1 }
    expect(readFault(fault, random)).toEqual({ fault })
  })

  test.each([
    ['rate', 0],
    ['rate', -0.1],
    ['rate', 1.01],
    ['rate', Number.NaN],
    ['rate', Number.POSITIVE_INFINITY],
    ['rate', '0.2'],
    ['rate', null],
    ['seed', -1],
    ['seed', 1.5],
    ['seed', 2 ** 32],
    ['seed', 7n],
    ['times', 0],
    ['times', 1.5],
    ['times', '3'],
    ['skip', -1],
    ['skip', 2 ** 53],
    ['skip', [1]],
  ])('refuses a %s of %s', (field, value) => {
    expect(readFault({ on: REFUNDS, do: 'hang', [field]: value }, random)).toEqual({
      problems: [{ field, description: expect.stringMatching(/^must be a /) }],
    })
  })

  test.each([
    ['rate', 1],
    ['rate', 0.000_1],
    ['seed', 0],
    ['seed', 2 ** 32 - 1],
    ['times', 1],
    ['skip', 0],
  ])('accepts a %s of %d', (field, value) => {
    expect(readFault({ on: REFUNDS, do: 'hang', [field]: value }, random)).toMatchObject({
      fault: { [field]: value },
    })
  })

  test('reports every problem at once', () => {
    const wrong = {
      on: 'payments',
      do: 'explode',
      rate: 2,
      seed: 'x',
      times: 0,
      skip: -1,
      tims: 1,
      other: {},
    }
    const read = readFault(wrong, random)
    expect('problems' in read ? read.problems.map(({ field }) => field) : []).toEqual([
      'tims',
      'other',
      'on',
      'do',
      'rate',
      'seed',
      'times',
      'skip',
    ])
    expect('problems' in read ? read.problems[0] : undefined).toEqual({
      field: 'tims',
      description: 'is not a known field; did you mean times?',
    })
  })

  test('needs an effect and a pattern', () => {
    expect(readFault({}, random)).toMatchObject({
      problems: [
        { field: 'on', description: expect.stringContaining('is required') },
        { field: 'do', description: expect.stringContaining('is required') },
      ],
    })
  })
})

describe('effects', () => {
  test.each(['refuse', 'hang', 'drop-before', 'drop-after', 'truncate', 'malformed', 'html', 'partial'])(
    '%s takes no value',
    (kind) => {
      expect(parseEffect(kind)).toEqual({ value: { kind } })
      expect(parseEffect(`${kind}=1`)).toEqual({ problem: `${kind} takes no value` })
    },
  )

  test.each([
    ['delay=2s', { kind: 'delay', ms: 2000 }],
    ['delay=1m30s', { kind: 'delay', ms: 90_000 }],
    ['delay=24h', { kind: 'delay', ms: 86_400_000 }],
    ['status=300', { kind: 'status', status: 300 }],
    ['status=503', { kind: 'status', status: 503 }],
    ['status=599', { kind: 'status', status: 599 }],
    ['429', { kind: '429', retryAfter: '1' }],
    ['429=0', { kind: '429', retryAfter: '0' }],
    ['429=30', { kind: '429', retryAfter: '30' }],
    ['429=Sun, 01 Mar 2026 12:00:30 GMT', { kind: '429', retryAfter: 'Sun, 01 Mar 2026 12:00:30 GMT' }],
  ])('%s', (text, effect) => {
    expect(parseEffect(text)).toEqual({ value: effect })
    expect(readEffect(text)).toEqual(effect)
  })

  test.each([
    ['drop-aftr', 'did you mean drop-after?'],
    ['DROP-AFTER', 'did you mean drop-after?'],
    ['explode', 'choose from refuse, hang'],
    ['', 'choose from refuse, hang'],
    ['delay', 'such as delay=2s'],
    ['delay=', 'such as 500ms, 30s'],
    ['delay=0s', 'such as 500ms, 30s'],
    ['delay=2', 'such as 500ms, 30s'],
    ['delay=24h1ms', 'at most 24h'],
    ['status', 'from 300 to 599'],
    ['status=200', 'from 300 to 599'],
    ['status=299', 'from 300 to 599'],
    ['status=600', 'from 300 to 599'],
    ['status=5e2', 'from 300 to 599'],
    ['429=-1', 'seconds or an HTTP date'],
    ['429=', 'seconds or an HTTP date'],
    ['429=soon', 'seconds or an HTTP date'],
    ['429=2026-03-01T12:00:30Z', 'seconds or an HTTP date'],
    ['429=Mon, 01 Mar 2026 12:00:30 GMT', 'seconds or an HTTP date'],
    ['429=Invalid Date', 'seconds or an HTTP date'],
    ['429=Sat, 01 Jan 20000 00:00:00 GMT', 'seconds or an HTTP date'],
    ['429=30\r\nx: y', 'seconds or an HTTP date'],
    ['hang\n', 'did you mean hang?'],
    [503, 'must be one of'],
    [null, 'must be one of'],
  ])('refuses %j', (given, says) => {
    expect(parseEffect(given)).toEqual({ problem: expect.stringContaining(says) })
  })

  test('shortens a long value in the error', () => {
    expect(JSON.stringify(parseEffect('x'.repeat(1000))).length).toBeLessThan(300)
  })

  test('throws on an unknown effect in a stored fault', () => {
    expect(() => readEffect('explode')).toThrow('stored fault')
  })
})

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
    expect(readPattern(given)).toEqual({ value: pattern })
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
    expect(readPattern(given)).toEqual({ problem: expect.stringContaining(says) })
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
