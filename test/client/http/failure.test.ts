import { describe, expect, test } from 'vitest'
import { responseFailure, connectFailure } from '../../../src/client/http/failure.ts'
import { TransportFailure } from '../../../src/client/http/transport-port.ts'

const errorWithCode = (code: string, name = 'Error') =>
  Object.assign(new Error('the words of the system'), { code, name })

describe('no connection', () => {
  test.each([
    ['ECONNREFUSED', 'refused'],
    ['ECONNRESET', 'refused'],
    ['ENOTFOUND', 'dns'],
    ['EAI_AGAIN', 'dns'],
    ['EHOSTUNREACH', 'unreachable'],
    ['ENETUNREACH', 'unreachable'],
    ['ETIMEDOUT', 'connect-timeout'],
    ['UND_ERR_CONNECT_TIMEOUT', 'connect-timeout'],
    ['SELF_SIGNED_CERT_IN_CHAIN', 'tls'],
    ['CERT_HAS_EXPIRED', 'tls'],
    ['CERT_REVOKED', 'tls'],
    ['ERR_TLS_CERT_ALTNAME_INVALID', 'tls'],
    ['ERR_SSL_WRONG_VERSION_NUMBER', 'tls'],
    ['EPROTO', 'tls'],
    ['EMFILE', 'other'],
    ['constructor', 'other'],
  ])('%s is %s, and nothing was sent', (code, reason) => {
    const failure = connectFailure(errorWithCode(code), 'api.example.com')
    expect(failure).toMatchObject({ reason, sent: false })
    expect(failure.message).toMatch(/^api\.example\.com /)
    expect(failure.message).not.toContain('the words of the system')
  })

  test('of several addresses the one that refused counts', () => {
    const error = new AggregateError([errorWithCode('ENETUNREACH'), errorWithCode('ECONNREFUSED')])
    expect(connectFailure(Object.assign(error, { code: 'ENETUNREACH' }), 'x').reason).toBe('refused')
  })

  test('a certificate that is not trusted names the way to trust it', () => {
    expect(connectFailure(errorWithCode('DEPTH_ZERO_SELF_SIGNED_CERT'), 'x').message).toContain(
      'NODE_EXTRA_CA_CERTS',
    )
  })

  test('a value that is not an error is reported anyway', () => {
    expect(connectFailure('odd', 'x')).toMatchObject({
      reason: 'other',
      message: 'x could not be reached (no code)',
    })
  })
})

test.each([
  ['UND_ERR_SOCKET', 'cut'],
  ['ECONNRESET', 'cut'],
  ['UND_ERR_RES_CONTENT_LENGTH_MISMATCH', 'cut'],
  ['UND_ERR_HEADERS_OVERFLOW', 'too-large'],
  ['ETIMEDOUT', 'timeout'],
  ['ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED', 'other'],
])('no complete answer: %s is %s, and the request counts as sent', (code, reason) => {
  expect(responseFailure(errorWithCode(code))).toMatchObject({ reason, sent: true })
})

test('a failure that is in our words already stays as it is', () => {
  const failure = new TransportFailure('proxy', false, 'words')
  expect(connectFailure(failure, 'x')).toBe(failure)
  expect(responseFailure(failure)).toBe(failure)
})
