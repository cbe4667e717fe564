import { TransportFailure } from './transport-port.ts'
import type { FailureReason } from './transport-port.ts'
import { systemCode } from '../system-code.ts'

type Fault = readonly [reason: FailureReason, words: string]

// The words are clauses that go on after "Nothing was sent: " or "it was sent, and ". None of them repeats the other side.

const NO_ADDRESS: Fault = ['dns', 'has no address (DNS)']
const TOO_SLOW: Fault = ['connect-timeout', 'did not accept the connection in time']
const CLOSED: Fault = ['refused', 'closed the connection before anything was sent']
const ENDING: Fault = ['other', 'was not asked: the program was about to end']
const OTHER_NAME: Fault = ['tls', 'has a certificate for another host name']
const UNWRITABLE: Fault = ['other', "was not asked: a part of the request can't be written"]
const UNTRUSTED: Fault = [
  'tls',
  'has a certificate that is not signed by an authority that this machine trusts (NODE_EXTRA_CA_CERTS=FILE adds one)',
]

/** What each error code says of the place that could not be connected to. */
const CONNECT_FAULTS: ReadonlyMap<string, Fault> = new Map<string, Fault>([
  ['ECONNREFUSED', ['refused', 'refused the connection']],
  ['ECONNRESET', CLOSED],
  ['EPIPE', CLOSED],
  ['ENOTFOUND', NO_ADDRESS],
  ['ENODATA', NO_ADDRESS],
  ['EAI_AGAIN', ['dns', 'could not be looked up: DNS does not answer']],
  ['EHOSTUNREACH', ['unreachable', 'cannot be reached from here']],
  ['ENETUNREACH', ['unreachable', 'cannot be reached: there is no network on the way']],
  ['ENETDOWN', ['unreachable', 'cannot be reached: the network is down']],
  ['EHOSTDOWN', ['unreachable', 'is down']],
  ['EADDRNOTAVAIL', ['unreachable', 'cannot be reached from any address of this machine']],
  ['ETIMEDOUT', TOO_SLOW],
  ['UND_ERR_CONNECT_TIMEOUT', TOO_SLOW],
  ['ERR_CLOSED', ENDING],
  ['ERR_INVALID_CHAR', UNWRITABLE],
  ['ERR_INVALID_HTTP_TOKEN', UNWRITABLE],
  ['UND_ERR_INVALID_ARG', UNWRITABLE],
  ['DEPTH_ZERO_SELF_SIGNED_CERT', UNTRUSTED],
  ['SELF_SIGNED_CERT_IN_CHAIN', UNTRUSTED],
  ['UNABLE_TO_VERIFY_LEAF_SIGNATURE', UNTRUSTED],
  ['UNABLE_TO_GET_ISSUER_CERT', UNTRUSTED],
  ['UNABLE_TO_GET_ISSUER_CERT_LOCALLY', UNTRUSTED],
  ['CERT_HAS_EXPIRED', ['tls', 'has a certificate that has expired']],
  [
    'CERT_NOT_YET_VALID',
    ['tls', 'has a certificate that is not valid yet: is the clock of this machine right?'],
  ],
  ['ERR_TLS_CERT_ALTNAME_INVALID', OTHER_NAME],
  ['UND_ERR_PRX_TLS', OTHER_NAME],
])

/** Why no connection came about: nothing was written. `place` is host and port. */
export function connectFailure(error: unknown, place: string): TransportFailure {
  if (error instanceof TransportFailure) return error
  const code = connectCode(error)
  const isTls = /^(?:EPROTO|ERR_SSL_|ERR_TLS_|ERR_OSSL_|CERT_|UNABLE_TO_)/.test(code)
  const other: Fault = isTls
    ? ['tls', `does not do TLS as we need it (${code})`]
    : ['other', `could not be connected to (${code})`]
  const [reason, words] = CONNECT_FAULTS.get(code) ?? other
  return new TransportFailure(reason, false, `${place} ${words}`, { cause: error })
}

/** Node tries all addresses of a host; among several failures the one that a person can act on counts. */
function connectCode(error: unknown): string {
  const codes = error instanceof AggregateError ? error.errors.map(codeOf) : []
  return codes.includes('ECONNREFUSED') ? 'ECONNREFUSED' : codeOf(error)
}

const ENDED: Fault = ['cut', 'the connection ended before the answer was complete']
const ENDED_BY_US: Fault = ['other', 'the program ended before the answer came']
const BROKEN: Fault = ['cut', 'the answer is invalidResponse, or is not HTTP']
const LONG_HEADERS: Fault = ['too-large', 'the headers of the answer are too large']
const ANSWER_FAULTS: ReadonlyMap<string, Fault> = new Map<string, Fault>([
  ['UND_ERR_SOCKET', ENDED],
  ['ECONNRESET', ENDED],
  ['ECONNABORTED', ENDED],
  ['EPIPE', ENDED],
  ['EHOSTUNREACH', ENDED],
  ['ENETUNREACH', ENDED],
  ['ENETDOWN', ENDED],
  ['UND_ERR_RES_CONTENT_LENGTH_MISMATCH', ['cut', 'the answer is not as long as it said']],
  ['HTTPParserError', BROKEN],
  ['UND_ERR_HEADERS_OVERFLOW', LONG_HEADERS],
  ['HPE_HEADER_OVERFLOW', LONG_HEADERS],
  ['ERR_CLOSED', ENDED_BY_US],
  ['ETIMEDOUT', ['timeout', 'the connection went dead']],
])

/** Why a request that was written, at least in part, got no complete answer. */
export function responseFailure(error: unknown): TransportFailure {
  if (error instanceof TransportFailure) return error
  const code = codeOf(error)
  // Node's parser has a code for each way in which a response can be broken.
  const other: Fault = code.startsWith('HPE_') ? BROKEN : ['other', `the connection failed (${code})`]
  const [reason, words] = ANSWER_FAULTS.get(code) ?? other
  return new TransportFailure(reason, true, words, { cause: error })
}

export const tooLarge = (limitBytes: number): TransportFailure =>
  new TransportFailure('too-large', true, `the answer is larger than ${limitBytes / 2 ** 20} MB`)

/** undici's parser errors have no code, only a name. */
export function codeOf(error: unknown): string {
  if (!(error instanceof Error)) return 'no code'
  return systemCode(error) ?? error.name
}

const errorWithCode = (code: string, words: string): Error => Object.assign(new Error(words), { code })

/** Carries the code that Node's own parser uses. */
export const invalidResponse = (what: string): Error =>
  errorWithCode('HPE_INVALID_ANSWER', `${what} can't be read`)
export const closedTooEarly = (): Error => errorWithCode('ECONNRESET', 'the connection ended')
export const connectTimedOut = (): Error => errorWithCode('ETIMEDOUT', 'no connection in time')
export const ended = (): Error => errorWithCode('ERR_CLOSED', 'the transport was closed')

export function timeoutFailure(timeoutMs: number, isSent: boolean): TransportFailure {
  const time = `${timeoutMs / 1000} s`
  return isSent
    ? new TransportFailure('timeout', true, `no complete answer came in ${time}`)
    : new TransportFailure('connect-timeout', false, `no connection came about in ${time}`)
}
