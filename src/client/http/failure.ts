import { TransportFailure } from './transport-port.ts'
import type { FailureReason } from './transport-port.ts'
import { systemCode } from '../../files/system-code.ts'

/** A reason and its message, which completes "Nothing was sent: …" or "it was sent, and …" and repeats no text from the other side. */
type Fault = readonly [reason: FailureReason, message: string]

const NO_ADDRESS: Fault = ['dns', 'has no address (DNS)']
const TOO_SLOW: Fault = ['connect-timeout', 'did not accept the connection in time']
const CLOSED: Fault = ['refused', 'closed the connection before anything was sent']
const EXITING: Fault = ['other', 'was not contacted: the program was about to exit']
const OTHER_NAME: Fault = ['tls', 'has a certificate for another host name']
const UNWRITABLE: Fault = ['other', "was not contacted: part of the request can't be written"]
const PLAIN: Fault = [
  'tls',
  'responds without TLS: use its TLS port, or http:// for a server on this machine',
]
const UNTRUSTED: Fault = [
  'tls',
  'has a certificate from an authority that this machine does not trust (NODE_EXTRA_CA_CERTS=FILE adds one)',
]

/** Connection failures by error code; the message follows the host's name. */
const CONNECT_FAULTS: ReadonlyMap<string, Fault> = new Map<string, Fault>([
  ['ECONNREFUSED', ['refused', 'refused the connection']],
  ['ECONNRESET', CLOSED],
  ['EPIPE', CLOSED],
  ['ENOTFOUND', NO_ADDRESS],
  ['ENODATA', NO_ADDRESS],
  ['EAI_AGAIN', ['dns', 'could not be looked up: DNS does not respond']],
  ['EHOSTUNREACH', ['unreachable', 'cannot be reached from here']],
  ['ENETUNREACH', ['unreachable', 'cannot be reached: there is no route to its network']],
  ['ENETDOWN', ['unreachable', 'cannot be reached: the network is down']],
  ['EHOSTDOWN', ['unreachable', 'is down']],
  ['EADDRNOTAVAIL', ['unreachable', 'cannot be reached from any address on this machine']],
  ['ETIMEDOUT', TOO_SLOW],
  ['UND_ERR_CONNECT_TIMEOUT', TOO_SLOW],
  ['ERR_CLOSED', EXITING],
  ['ERR_INVALID_CHAR', UNWRITABLE],
  ['ERR_INVALID_HTTP_TOKEN', UNWRITABLE],
  ['UND_ERR_INVALID_ARG', UNWRITABLE],
  ['DEPTH_ZERO_SELF_SIGNED_CERT', UNTRUSTED],
  ['SELF_SIGNED_CERT_IN_CHAIN', UNTRUSTED],
  ['UNABLE_TO_VERIFY_LEAF_SIGNATURE', UNTRUSTED],
  ['UNABLE_TO_GET_ISSUER_CERT', UNTRUSTED],
  ['UNABLE_TO_GET_ISSUER_CERT_LOCALLY', UNTRUSTED],
  ['CERT_HAS_EXPIRED', ['tls', 'has a certificate that has expired']],
  ['CERT_NOT_YET_VALID', ['tls', "has a certificate that is not valid yet: check this machine's clock"]],
  ['ERR_TLS_CERT_ALTNAME_INVALID', OTHER_NAME],
  ['UND_ERR_PRX_TLS', OTHER_NAME],
  ['ERR_SSL_WRONG_VERSION_NUMBER', PLAIN],
  ['ERR_SSL_PACKET_LENGTH_TOO_LONG', PLAIN],
])

/** Why no connection was made; nothing was written. `place` is host and port. */
export function connectFailure(error: unknown, place: string): TransportFailure {
  if (error instanceof TransportFailure) return error
  const code = connectCode(error)
  const isTls = /^(?:EPROTO|ERR_SSL_|ERR_TLS_|ERR_OSSL_|CERT_|UNABLE_TO_)/.test(code)
  const other: Fault = isTls
    ? ['tls', `does not support the TLS that pay needs (${code})`]
    : ['other', `could not be reached (${code})`]
  const [reason, words] = CONNECT_FAULTS.get(code) ?? other
  return new TransportFailure(reason, false, `${place} ${words}`, { cause: error })
}

/** The code of a failed connection. Node tries every address of a host. A refused connection is the most useful of several failures. */
function connectCode(error: unknown): string {
  const codes = error instanceof AggregateError ? error.errors.map(codeOf) : []
  return codes.includes('ECONNREFUSED') ? 'ECONNREFUSED' : codeOf(error)
}

/**
 * The failure if the server demands a client certificate. In TLS 1.3 the handshake is over for the client before the server
 * has looked at its certificate, so the request is written; but a server that ends the handshake with this alert has read
 * none of it.
 */
export function certificateDemand(error: unknown, place: string): TransportFailure | undefined {
  if (codeOf(error) !== 'ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED') return undefined
  const words = `${place} demands a client certificate, which pay does not have, and read nothing without one`
  return new TransportFailure('tls', false, words, { cause: error })
}

const CUT_SHORT: Fault = ['cut', 'the connection ended before the response was complete']
const CLOSED_BY_US: Fault = ['other', 'the program exited before the response came']
const BROKEN: Fault = ['cut', 'the response is broken or is not HTTP']
const LONG_HEADERS: Fault = ['too-large', "the response's headers are too large"]
const RESPONSE_FAULTS: ReadonlyMap<string, Fault> = new Map<string, Fault>([
  ['UND_ERR_SOCKET', CUT_SHORT],
  ['ECONNRESET', CUT_SHORT],
  ['ECONNABORTED', CUT_SHORT],
  ['EPIPE', CUT_SHORT],
  ['EHOSTUNREACH', CUT_SHORT],
  ['ENETUNREACH', CUT_SHORT],
  ['ENETDOWN', CUT_SHORT],
  ['UND_ERR_RES_CONTENT_LENGTH_MISMATCH', ['cut', 'the response does not have the length that it announced']],
  ['HTTPParserError', BROKEN],
  ['UND_ERR_HEADERS_OVERFLOW', LONG_HEADERS],
  ['HPE_HEADER_OVERFLOW', LONG_HEADERS],
  ['ERR_CLOSED', CLOSED_BY_US],
  ['ETIMEDOUT', ['timeout', 'the connection went dead']],
])

/** Why a request that was written, at least in part, got no complete response. */
export function responseFailure(error: unknown): TransportFailure {
  if (error instanceof TransportFailure) return error
  const code = codeOf(error)
  // Node's parser has one code for each way a response can be broken.
  const other: Fault = code.startsWith('HPE_') ? BROKEN : ['other', `the connection failed (${code})`]
  const [reason, words] = RESPONSE_FAULTS.get(code) ?? other
  return new TransportFailure(reason, true, words, { cause: error })
}

export const tooLarge = (limitBytes: number): TransportFailure =>
  new TransportFailure('too-large', true, `the response is larger than ${limitBytes / 2 ** 20} MB`)

/** The error's code, or its name: undici's parser errors have no code. */
export function codeOf(error: unknown): string {
  if (!(error instanceof Error)) return 'no code'
  return systemCode(error) ?? error.name
}

const errorWithCode = (code: string, words: string): Error => Object.assign(new Error(words), { code })

/** An error with a code like those of Node's parser. */
export const invalidResponse = (what: string): Error =>
  errorWithCode('HPE_INVALID_ANSWER', `${what} can't be read`)
export const closedTooEarly = (): Error => errorWithCode('ECONNRESET', 'the connection ended')
export const connectTimedOut = (): Error => errorWithCode('ETIMEDOUT', 'no connection in time')
export const closedByUs = (): Error => errorWithCode('ERR_CLOSED', 'the transport was closed')

export function timeoutFailure(timeoutMs: number, isSent: boolean): TransportFailure {
  const time = `${timeoutMs / 1000} s`
  return isSent
    ? new TransportFailure('timeout', true, `no complete response came within ${time}`)
    : new TransportFailure('connect-timeout', false, `no connection was made within ${time}`)
}
