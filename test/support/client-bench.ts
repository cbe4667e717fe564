import { OPERATIONS } from '../../src/api/table.ts'
import { PayError } from '../../src/errors.ts'
import type { AttemptLog } from '../../src/client/calls/attempt.ts'
import type { Answer, Call } from '../../src/client/calls/call.ts'
import { createClient } from '../../src/client/calls/client.ts'
import type { Write, Ledger } from '../../src/client/ledger/port.ts'
import { TransportFailure } from '../../src/client/http/transport-port.ts'
import type { SendOptions, HttpResponse, HttpRequest } from '../../src/client/http/transport-port.ts'
import type { Fault } from './faults.ts'
import { MACHINE, timed } from './timing.ts'
import { METHOD_TOKEN, PAYMENT_ID, simulateService } from './simulated-service.ts'
import type { Decision, WriteId } from './simulated-service.ts'

type Params = Call['params']

const CALLS: Readonly<Record<WriteId, { readonly params: Params; readonly body?: unknown }>> = {
  'session.create': { params: {}, body: { orderId: 'A-1' } },
  'session.update': { params: {}, body: { clientToken: 'client-1', orderId: 'A-1' } },
  'payment.create': {
    params: {},
    body: { paymentMethodToken: 'tok_visa', amount: 1_000, currencyCode: 'EUR', orderId: 'A-1' },
  },
  'payment.authorize': {
    params: { id: PAYMENT_ID },
    body: { processor: { processorMerchantId: 'alpha-1' } },
  },
  'payment.capture': { params: { id: PAYMENT_ID }, body: { amount: 700 } },
  'payment.refund': { params: { id: PAYMENT_ID }, body: { amount: 300 } },
  'payment.adjust': { params: { id: PAYMENT_ID }, body: { amount: 1_500 } },
  'payment.resume': { params: { id: PAYMENT_ID }, body: { resumeToken: 'resume-1' } },
  'payment.cancel': { params: { id: PAYMENT_ID } },
  'observability.push': {
    params: {},
    body: { paymentId: 'rec-1', amount: 5, createdAt: '2026-01-31T09:30:00Z', order: { id: 'A-1' } },
  },
  'observability.update': { params: { paymentId: 'rec-1' }, body: { amount: 6 } },
  'loyalty.create': {
    params: {},
    body: { connectionId: 'points-1', customerId: 'C-1', orderId: 'A-1', value: 10 },
  },
  'instrument.default': { params: { paymentMethodToken: METHOD_TOKEN } },
  'instrument.delete': { params: { paymentMethodToken: METHOD_TOKEN } },
  'instrument.vault': { params: { paymentMethodToken: METHOD_TOKEN }, body: { customerId: 'C-1' } },
}

type WriteOperation = Extract<(typeof OPERATIONS)[number], { readonly id: WriteId }>
const isWrite = (operation: (typeof OPERATIONS)[number]): operation is WriteOperation =>
  operation.risk !== 'read'
export const WRITES: readonly WriteOperation[] = OPERATIONS.filter(isWrite)

/** A call of a write with a valid body, for the simulated service: `callOf('payment.refund')`. */
export function callOf(id: WriteId, more: Partial<Call> = {}): Call {
  const operation = WRITES.find((row) => row.id === id)
  if (operation === undefined) throw new Error(`no such write: ${id}`)
  const { params, body } = CALLS[id]
  return {
    operation,
    params,
    ...(body === undefined ? {} : { body: { value: body, text: JSON.stringify(body) } }),
    ...more,
  }
}

/** A step of the client. */
export type Step =
  | { readonly kind: 'begin'; readonly intent: Write }
  | { readonly kind: 'send'; readonly request: HttpRequest }
  | { readonly kind: 'wait'; readonly ms: number }
  | { readonly kind: 'stop' }
  | { readonly kind: 'settle'; readonly state: string; readonly exitCode: number | undefined }

export interface Ending {
  readonly exitCode: number
  readonly answer: Answer | undefined
  readonly error: PayError | undefined
  readonly steps: readonly Step[]
  readonly logs: readonly AttemptLog[]
  /** Every request; `writes` leaves out GET. */
  readonly sent: readonly HttpRequest[]
  readonly writes: readonly HttpRequest[]
  readonly waits: readonly number[]
  readonly settled: Extract<Step, { kind: 'settle' }> | undefined
}

export interface BenchOptions {
  /** Returns a response or throws a TransportFailure. */
  readonly service: (
    request: HttpRequest,
    options: SendOptions,
    index: number,
  ) => HttpResponse | Promise<HttpResponse>
  readonly maxRetries?: number
  readonly ledger?: (steps: Step[], nowMs: () => number) => Ledger
  readonly interruption?: { readonly stop: AbortController; readonly abandon: AbortController }
  readonly random?: () => number
  /** How much longer every wait takes, as on a machine that sleeps. */
  readonly oversleepMs?: number
}

/**
 * Runs one call through the real client, with a given service, a recording ledger and a clock that waits advance.
 *
 *     const run = await runCall(callOf('payment.refund'), { service: scripted(lost, payment()) })
 *     expect(run).toMatchObject({ exitCode: 0, settled: { state: 'confirmed' } })
 */
export async function runCall(call: Call, options: BenchOptions): Promise<Ending> {
  const steps: Step[] = []
  const logs: AttemptLog[] = []
  const { stop, abandon } = options.interruption ?? {
    stop: new AbortController(),
    abandon: new AbortController(),
  }
  let clock = Date.parse('2026-03-01T12:00:00.000Z')
  let ids = 0
  let index = 0
  stop.signal.addEventListener('abort', () => steps.push({ kind: 'stop' }))
  const client = createClient({
    transport: {
      send: async (request, sendOptions) => {
        // The real transports do not write a request that was given up either.
        if (isAborted(sendOptions.signal) || isAborted(sendOptions.signalBeforeSent))
          throw new TransportFailure('aborted', false, 'it was aborted')
        steps.push({ kind: 'send', request })
        const at = index
        index += 1
        const answer = await options.service(request, sendOptions, at)
        if (isAborted(sendOptions.signal)) throw new TransportFailure('aborted', true, 'it was aborted')
        return answer
      },
      close: async () => {},
    },
    ledger: (options.ledger ?? recordingLedger)(steps, () => clock),
    profile: 'shop',
    mode: 'test',
    baseUrl: 'https://api.example.com',
    apiKey: 'key-1',
    apiVersion: '2.1',
    userAgent: 'test',
    timeoutMs: 30_000,
    maxRetries: options.maxRetries ?? 3,
    now: () => new Date(clock),
    clocks: () => ({ wallMs: clock, machine: MACHINE }),
    random: options.random ?? (() => 0.5),
    newId: () => {
      ids += 1
      return `key-${ids}`
    },
    sleep: async (ms) => {
      steps.push({ kind: 'wait', ms })
      clock += ms + (options.oversleepMs ?? 0)
    },
    interruption: { stop: stop.signal, abandon: abandon.signal },
    onAttempt: (log) => logs.push(log),
  })
  const ended = await client.call(call).then(
    (answer) => ({ answer, error: undefined, exitCode: answer.exitCode }),
    (error: unknown) => {
      if (!(error instanceof PayError)) throw error
      return { answer: undefined, error, exitCode: error.exitCode }
    },
  )
  const sent = steps.flatMap((step) => (step.kind === 'send' ? [step.request] : []))
  return {
    ...ended,
    steps,
    logs,
    sent,
    writes: sent.filter(({ method }) => method !== 'GET'),
    waits: steps.flatMap((step) => (step.kind === 'wait' ? [step.ms] : [])),
    settled: steps.findLast((step) => step.kind === 'settle'),
  }
}

const isAborted = (signal: AbortSignal | undefined): boolean => signal?.aborted === true

export const recordingLedger = (steps: Step[], nowMs = () => 0): Ledger => ({
  endedOn: async () => [],
  begin: async (intent) => {
    // Resolves later, so that a client that sends without waiting for it is seen to send first.
    await new Promise((resolve) => {
      setImmediate(resolve)
    })
    steps.push({ kind: 'begin', intent })
    return {
      id: 'op-1',
      isInDoubt: false,
      ...timed({ wallMs: nowMs(), machine: MACHINE }),
      now: () => ({ wallMs: nowMs(), machine: MACHINE }),
      place: 'ledger.db',
      standing: async () => 'ours' as const,
      fence: async () => true,
      isLeased: () => true,
      settle: async ({ state, exitCode }) => {
        await new Promise((resolve) => {
          setImmediate(resolve)
        })
        steps.push({ kind: 'settle', state, exitCode })
      },
    }
  },
})

export interface FaultyRun extends Ending {
  /** The changes at the service, also those of late requests. */
  readonly effects: readonly string[]
}

interface FaultyOptions extends Omit<BenchOptions, 'service'> {
  readonly decision?: Decision
  /** The fault of a request, by its index from 0; undefined for none. */
  readonly faultOf: (request: HttpRequest, index: number) => Fault | undefined
  /** Called while a request is in flight: before the service handles it, and after. */
  readonly during?: (index: number, moment: 'before' | 'after') => void
}

/** Runs one call against the simulated service, with a fault for each request that `faultOf` names. */
export async function runFaulty(id: WriteId, options: FaultyOptions): Promise<FaultyRun> {
  const service = simulateService(id, options.decision)
  if (id === 'observability.update') service.records.set('rec-1', { amount: 5 })
  const late: HttpRequest[] = []
  const applyLate = () => {
    for (const request of late.splice(0)) service.handle(request)
  }
  const ending = await runCall(callOf(id), {
    ...options,
    service: (request, _, index) => {
      options.during?.(index, 'before')
      const fault = options.faultOf(request, index)
      // A late write arrives before the next write, but not before the next read: recovery must not rely on one read.
      if (request.method !== 'GET') applyLate()
      if (fault?.applies === 'late') late.push(request)
      const isProcessed = fault === undefined || fault.applies === 'yes'
      const answer = isProcessed ? service.handle(request) : { status: 200, headers: {}, body: '' }
      options.during?.(index, 'after')
      // These faults change a success; an error response passes unchanged.
      if (fault?.kind === 'answered' && answer.status !== 200) return answer
      return fault === undefined ? answer : fault.meet(answer)
    },
  })
  applyLate()
  return { ...ending, effects: service.effects }
}
