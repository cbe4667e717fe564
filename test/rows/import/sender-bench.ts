import { AdaptiveLimiter } from '../../../src/rows/send/adaptive-limiter.ts'
import { RunStopped } from '../../../src/rows/send/run-errors.ts'
import { DEFAULT_MAX_WAIT_MS, Patience } from '../../../src/rows/send/patience.ts'
import { paceTransport } from '../../../src/rows/send/paced-transport.ts'
import type { RowOutcome } from '../../../src/rows/row-outcome.ts'
import { TransportFailure } from '../../../src/client/http/transport-port.ts'
import type {
  SendOptions,
  HttpResponse,
  HttpRequest,
  Transport,
} from '../../../src/client/http/transport-port.ts'
import { createSender } from '../../../src/rows/import/send-record.ts'
import type { OnExists, SenderOptions } from '../../../src/rows/import/send-record.ts'

export type Step = HttpResponse | TransportFailure | ((options: SendOptions) => Promise<HttpResponse>)

export const answer = (
  status: number,
  body: unknown = {},
  headers: Readonly<Record<string, string>> = {},
): HttpResponse => ({ status, headers, body: typeof body === 'string' ? body : JSON.stringify(body) })
export const refusal = (status: number, errorId: string, more: object = {}) =>
  answer(status, { error: { errorId, description: `${errorId}!`, ...more } })

export const OK = answer(200, { paymentId: 'ext-1' })
export const EXISTS = refusal(409, 'EntityAlreadyExists')
export const INVALID = refusal(422, 'RequestValidationError', {
  validationErrors: [{ model: 'M', errors: [{ path: '$.amount', description: 'too large' }] }],
})
export const PAGE = answer(200, '<html><h1>Down</h1></html>', { 'content-type': 'text/html' })
export const BUSY = answer(503, '<html><h1>Down</h1></html>', { 'content-type': 'text/html' })
export const SLOWER = answer(429, {}, { 'retry-after': '7' })
export const CUT = new TransportFailure('cut', true, 'the connection ended before the response was complete')
export const TIMEOUT = new TransportFailure('timeout', true, 'no complete response came within 30 s')
export const REFUSED = new TransportFailure('refused', false, 'shop.example.com refused the connection')

interface BenchOptions extends Partial<SenderOptions> {
  readonly halt?: AbortSignal
  readonly abandon?: AbortSignal
  readonly limiter?: AdaptiveLimiter
  readonly maybeSent?: boolean
  readonly onExists?: OnExists
}

export function createSenderBench(script: readonly Step[], options: BenchOptions = {}) {
  const requests: HttpRequest[] = []
  const waits: number[] = []
  const seen = { isInDoubt: false, odd: 0, asked: 0 }
  let nowMs = Date.parse('2026-03-01T12:00:00Z')
  const never = new AbortController().signal
  const sleep = async (ms: number) => {
    waits.push(ms)
    nowMs += ms
  }
  const now = () => new Date(nowMs)
  const patience = new Patience(DEFAULT_MAX_WAIT_MS, now)
  const limiter =
    options.limiter ??
    new AdaptiveLimiter({
      now: () => nowMs,
      sleep,
      concurrency: undefined,
      maxConcurrency: 8,
      rate: undefined,
    })
  const onWait = (ms: number) => {
    seen.asked += ms
  }
  const transport: Transport = {
    close: async () => {},
    send: async (request, sendOptions) => {
      requests.push(request)
      const step = script[requests.length - 1]
      // Any other failure would be repeated.
      if (step === undefined) throw new TransportFailure('aborted', true, 'beyond the script')
      if (step instanceof Error) throw step
      return typeof step === 'function' ? step(sendOptions) : step
    },
  }
  const send = createSender({
    transport: paceTransport(transport, { limiter, patience, now, onWait }),
    patience,
    target: { baseUrl: 'https://shop.example.com', apiKey: 'key', apiVersion: '2.1', userAgent: 'test' },
    onExists: 'update',
    timeoutMs: 30_000,
    maxRetries: 3,
    now,
    random: () => 0,
    sleep,
    interruption: { stop: options.halt ?? never, abandon: options.abandon ?? never },
    clean: (text) => text.replaceAll('4111111111111111', '[card number]'),
    onInvalidSuccess: () => {
      seen.odd += 1
    },
    onAttempt: () => {},
    ...options,
  })
  const row = {
    id: 'ext-1',
    body: { paymentId: 'ext-1', amount: 2500, createdAt: '2026-01-31T09:30:00Z', status: 'SETTLED' },
  }
  const run = (sent = row) =>
    send(sent, {
      maybeSent: options.maybeSent ?? false,
      onDoubt: () => {
        seen.isInDoubt = true
      },
    })
  return { run, row, requests, waits, seen }
}

export const methodsOf = (requests: readonly HttpRequest[]) => requests.map(({ method }) => method).join(' ')

export async function stopOf(sending: Promise<RowOutcome>): Promise<unknown> {
  const error: unknown = await sending.then(
    () => undefined,
    (thrown: unknown) => thrown,
  )
  return error instanceof RunStopped ? error.error : error
}
