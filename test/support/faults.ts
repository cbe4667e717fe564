import { TransportFailure } from '../../src/client/http/transport-port.ts'
import type { FailureReason, HttpResponse } from '../../src/client/http/transport-port.ts'

/** The knowledge of a client after an attempt with a fault. */
export type FaultKind =
  /** Nothing was written. */
  | 'unsent'
  /** Nothing was written, and a retry would fail the same way. */
  | 'hopeless'
  | 'rate-limited'
  | 'refused'
  /** The service itself reports a failure. */
  | 'failed'
  /** The operation may have been performed, or may still be. */
  | 'lost'
  /** A complete 2xx response. */
  | 'answered'

export interface Fault {
  readonly kind: FaultKind
  /** Whether the service performs the operation: not at all, before its response, or after the client gave up. */
  readonly applies: 'no' | 'yes' | 'late'
  /** The response for the client, made from the service's. */
  readonly meet: (answer: HttpResponse) => HttpResponse
}

const fail = (reason: FailureReason, sent: boolean) => () => {
  throw new TransportFailure(reason, sent, `the attempt ended with ${reason}`)
}
const answer =
  (status: number, body = '', headers: Readonly<Record<string, string>> = {}) =>
  (): HttpResponse => ({ status, headers, body })

const unsent = (reason: FailureReason): Fault => ({
  kind: 'unsent',
  applies: 'no',
  meet: fail(reason, false),
})
const hopeless = (reason: FailureReason): Fault => ({ ...unsent(reason), kind: 'hopeless' })
const lost = (reason: FailureReason, applies: Fault['applies']): Fault => ({
  kind: 'lost',
  applies,
  meet: fail(reason, true),
})
const instead = (kind: FaultKind, applies: Fault['applies'], meet: Fault['meet']): Fault => ({
  kind,
  applies,
  meet,
})

const PAGE = '<html><title>Oops</title><body>a proxy is talking</body></html>'

export const FAULTS: Readonly<Record<string, Fault>> = {
  'connection refused': unsent('refused'),
  'no address (DNS)': unsent('dns'),
  unreachable: unsent('unreachable'),
  'timeout before sending': unsent('connect-timeout'),
  'TLS refused': hopeless('tls'),
  'proxy refused': hopeless('proxy'),
  '429 in seconds': instead('rate-limited', 'no', answer(429, '', { 'retry-after': '2' })),
  '429 as a date': instead(
    'rate-limited',
    'no',
    answer(429, PAGE, { 'retry-after': 'Sun, 01 Mar 2026 12:00:30 GMT' }),
  ),
  '429 without Retry-After': instead('rate-limited', 'no', answer(429)),
  '302': instead('refused', 'no', answer(302, '', { location: 'https://elsewhere.example.com/' })),
  '307': instead('refused', 'no', answer(307, PAGE)),
  '400 with HTML': instead('refused', 'no', answer(400, PAGE)),
  '500 and not applied': instead('failed', 'no', answer(500, '{"error":{"errorId":"X"}}')),
  '500 and applied': instead('failed', 'yes', answer(500, '{"error":{"errorId":"X"}}')),
  '500 without a body, and applied': instead('lost', 'yes', answer(500)),
  '503 with an error of the service': instead('failed', 'no', answer(503, '{"error":{"errorId":"X"}}')),
  '503 with Retry-After': instead('lost', 'no', answer(503, PAGE, { 'retry-after': '3' })),
  '503 and applied': instead('lost', 'yes', answer(503, PAGE)),
  '524 and applied late': instead('lost', 'late', answer(524, PAGE)),
  '504 and not applied': instead('lost', 'no', answer(504, PAGE)),
  '504 and applied': instead('lost', 'yes', answer(504, PAGE)),
  '502 and applied late': instead('lost', 'late', answer(502)),
  'timeout after sending': lost('timeout', 'no'),
  'timeout after sending, applied': lost('timeout', 'yes'),
  'timeout after sending, applied late': lost('timeout', 'late'),
  'cut, and not applied': lost('cut', 'no'),
  'cut, and applied': lost('cut', 'yes'),
  'truncated response': lost('cut', 'yes'),
  'response too large': lost('too-large', 'yes'),
  'an unexpected exception': { kind: 'lost', applies: 'yes', meet: throwPlain },
  'status 0': instead('lost', 'yes', answer(0)),
  '200 with HTML': instead('lost', 'yes', answer(200, PAGE)),
  '200 with HTML, and not applied': instead('lost', 'no', answer(200, PAGE)),
  '200 with HTML, and applied late': instead('lost', 'late', answer(200, PAGE)),
  '200 with half a JSON': instead('lost', 'yes', (whole) => ({
    ...whole,
    body: whole.body.slice(0, whole.body.length / 2),
  })),
  '200 with two bodies': instead('lost', 'yes', (whole) => ({ ...whole, body: whole.body.repeat(2) })),
  '200 with an error': instead('lost', 'no', answer(200, '{"error":{"errorId":"X","description":"y"}}')),

  '200 with a list': instead('lost', 'yes', (whole) => ({ ...whole, body: `[${whole.body}]` })),
  '200 with null': instead('lost', 'yes', answer(200, 'null')),
  '200 malformed': instead('lost', 'yes', answer(200, '{"id":,}')),
  '200 empty': instead('lost', 'yes', answer(200)),
  '201': instead('answered', 'yes', (whole) => ({ ...whole, status: 201 })),
  '202': instead('answered', 'yes', (whole) => ({ ...whole, status: 202 })),
  '204': instead('lost', 'yes', answer(204)),
}

function throwPlain(): never {
  throw new TypeError('undefined is not a function')
}
