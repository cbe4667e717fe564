import { OPERATIONS } from '../../../src/api/table.ts'
import { createClient } from '../../../src/client/calls/client.ts'
import type { Resolution, ResolveOptions } from '../../../src/client/calls/client-port.ts'
import { accountOf } from '../../../src/client/calls/build-intent.ts'
import type { Moment } from '../../../src/client/ledger/moment.ts'
import { MACHINE, timed } from '../../support/timing.ts'
import { TransportFailure } from '../../../src/client/http/transport-port.ts'
import type { HttpResponse, HttpRequest } from '../../../src/client/http/transport-port.ts'
import type { DoubtfulWrite } from '../../../src/client/ledger/port.ts'
import type { Scripted } from '../../support/scripted-call.ts'

export const BASE_URL = 'https://api.example.com'
export const API_KEY = 'key-1'
export const NOW = new Date('2026-03-10T12:00:00.000Z')
export const MINUTE_MS = 60_000
export const HOUR_MS = 60 * MINUTE_MS

export interface ResolveRun {
  readonly resolution: Resolution
  readonly reads: readonly HttpRequest[]
  readonly writes: readonly HttpRequest[]
  readonly waits: readonly number[]
  /** What each of them is for. */
  readonly waitWords: readonly string[]
  /** How often the client asked whether to send. */
  readonly questions: number
  /** The evidence that the question gave. */
  readonly evidence: string | undefined
}

export interface ResolveParts {
  /** Answers a request; the n-th read or write, from 0. */
  readonly read: (request: HttpRequest, index: number) => Scripted
  readonly write?: (request: HttpRequest, index: number) => Scripted
  readonly confirmSend?: boolean | 'asked'
  readonly resends?: boolean
  readonly expects?: ResolveOptions['expects']
  readonly maxRetries?: number
  readonly stop?: AbortController
  /** The profile's current mode. */
  readonly mode?: 'test' | 'live'
  /** When the resolve starts. */
  readonly at?: Date
  readonly timeoutMs?: number
}

/** A 3.00 EUR refund left in doubt ten minutes ago, with optional changes. */
export const storedRefund = (more: Partial<DoubtfulWrite> = {}): DoubtfulWrite => ({
  id: 'op-1',
  operation: 'payment.refund',
  baseUrl: BASE_URL,
  apiKeyId: accountOf({ baseUrl: BASE_URL, apiKey: API_KEY }),
  profile: 'shop',
  mode: 'test',
  apiVersion: '2.1',
  reason: undefined,
  fingerprint: 'a',
  isRepeatable: false,
  target: { kind: 'payment', name: 'pay-1' },
  amount: 300,
  currencyCode: 'EUR',
  idempotencyKey: 'key-of-op-1',
  // As typed, with spaces: exactly these bytes are sent again.
  request: { params: { id: 'pay-1' }, body: '{ "amount": 300 }' },
  before: undefined,
  others: [],
  place: 'ledger.db',
  standing: async () => 'ours',
  isLeased: () => true,
  fence: async () => true,
  ...aged(10 * MINUTE_MS),
  ...more,
})

/** First and last sent that long ago, by the wall clock of this machine. */
export const aged = (ms: number, lastMs = ms): ReturnType<typeof timed> =>
  timed(at(ms), { last: at(lastMs), now: at(0) })

/** Last sent that long ago when the resolving begins; its reads are answered an hour later. */
export function agedBeforeSlowRead(
  ms: number,
  read: ResolveParts['read'],
): { readonly times: ReturnType<typeof aged>; readonly read: ResolveParts['read'] } {
  let passedMs = 0
  return {
    times: { ...aged(ms), now: () => at(-passedMs) },
    read: (...request) => {
      passedMs = HOUR_MS
      return read(...request)
    },
  }
}

const at = (agoMs: number): Moment => ({ wallMs: NOW.getTime() - agoMs, machine: MACHINE })

export async function runResolve(intent: DoubtfulWrite, parts: ResolveParts): Promise<ResolveRun> {
  const { stop } = { stop: parts.stop ?? new AbortController() }
  const [reads, writes, waits]: [HttpRequest[], HttpRequest[], number[]] = [[], [], []]
  const waitWords: string[] = []
  let clock = (parts.at ?? NOW).getTime()
  let [questions, unsent] = [0, 0]
  let evidence: string | undefined
  const client = createClient({
    transport: {
      send: async (request): Promise<HttpResponse> => {
        const isRead = request.method === 'GET'
        const list = isRead ? reads : writes
        list.push(request)
        const next = (isRead ? parts.read : (parts.write ?? unexpected))(request, list.length - 1)
        if (next instanceof TransportFailure) {
          if (!isRead && !next.sent) unsent += 1
          throw next
        }
        return { ...next, headers: { date: new Date(clock).toUTCString(), ...next.headers } }
      },
      close: async () => {},
    },
    ledger: {
      endedOn: async () => [],
      begin: () => Promise.reject(new Error('finding out begins nothing new')),
    },
    profile: 'shop',
    mode: parts.mode ?? 'test',
    baseUrl: BASE_URL,
    apiKey: API_KEY,
    apiVersion: '2021-09-27',
    userAgent: 'test',
    timeoutMs: parts.timeoutMs ?? 30_000,
    maxRetries: parts.maxRetries ?? 0,
    now: () => new Date(clock),
    clocks: () => ({ wallMs: clock, machine: MACHINE }),
    random: () => 0.5,
    newId: () => {
      throw new Error('finding out makes no new key')
    },
    sleep: async (ms, _signal, why) => {
      waits.push(ms)
      waitWords.push(why)
      clock += ms
    },
    interruption: { stop: stop.signal, abandon: new AbortController().signal },
    onAttempt: () => {},
  })
  const resolution = await client.resolve(intent, {
    operation: OPERATIONS.find(({ id }) => id === intent.operation),
    confirmSend: async (facts) => {
      questions += 1
      evidence = facts.evidence
      return parts.confirmSend ?? true
    },
    resends: parts.resends,
    expects: parts.expects,
  })
  if (writes.length > unsent && /nothing was sent/i.test(resolution.words))
    throw new Error(`says that nothing was sent, and sent ${writes.length - unsent}: ${resolution.words}`)
  return { resolution, reads, writes, waits, waitWords, questions, evidence }
}

function unexpected({ method, url }: HttpRequest): Scripted {
  throw new Error(`nothing was to be sent: ${method} ${url}`)
}
