import { describe, expect, test } from 'vitest'
import { parseEffect } from '../../../src/sandbox/faults/read-fault.ts'

describe('effects', () => {
  test.each(['refuse', 'hang', 'drop-before', 'drop-after', 'truncate', 'malformed', 'html', 'partial'])(
    '%s takes no value',
    (kind) => {
      expect(parseEffect(kind)).toEqual({ kind })
      expect(() => parseEffect(`${kind}=1`)).toThrow(`${kind} takes no value`)
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
    expect(parseEffect(text)).toEqual(effect)
  })

  test.each([
    ['drop-aftr', 'did you mean drop-after?'],
    ['DROP-AFTER', 'did you mean drop-after?'],
    ['explode', 'must be one of refuse, hang'],
    ['', 'must be one of refuse, hang'],
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
    expect(() => parseEffect(given)).toThrow(says)
  })

  test('shortens a long value in the error', () => {
    expect(() => parseEffect('x'.repeat(1000))).toThrow(/^.{1,250}$/)
  })
})
