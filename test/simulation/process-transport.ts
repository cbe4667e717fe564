import type { Replay } from '../../src/api/operation.ts'
import { TransportFailure } from '../../src/client/http/transport-port.ts'
import type {
  SendOptions,
  Transport,
  HttpResponse,
  HttpRequest,
} from '../../src/client/http/transport-port.ts'
import type { Random } from './random.ts'
import { DELIVERED, DELIVERY_FAULTS } from './deliveries.ts'
import type { Delivery } from './deliveries.ts'
import type { TimedEvent, Process, Scheduler } from './scheduler.ts'
import type { Handled } from './service.ts'

export interface TransportOptions {
  readonly scheduler: Scheduler
  readonly process: Process
  readonly random: Random
  readonly watch: RequestWatch
  /** How long after it was sent a request may still arrive, whatever became of its sender. */
  readonly latestMs: number
  /** The probability that a request meets a delivery fault. */
  readonly deliveryFaultRate: () => number
  /** How much longer a wait takes, because the machine slept. */
  readonly oversleepMs: () => number
  readonly trace: (who: string, words: () => string) => void
}

/** The sender: sees each request as it leaves and as it arrives. */
export interface RequestWatch {
  readonly name: string
  readonly replay: Replay
  /** Called before a write leaves the process. */
  readonly beforeSend: (request: HttpRequest) => void
  /** Hands a request to the service. */
  readonly arrive: (request: HttpRequest) => Promise<Handled>
  /** Called when the process gets the service's own response. */
  readonly onAnswer?: (request: HttpRequest, handled: Handled) => void
  /** Whether a late request is lost, because it could undo a newer one. */
  readonly isOvertaken: () => boolean
  /** An attempt ended without a response from the service. */
  readonly onDoubt: (request: HttpRequest) => void
}

/** The network between one process and the service: it decides how each request is delivered. */
export function processTransport(options: TransportOptions): Transport {
  return { send: (request, sendOptions) => send(options, request, sendOptions), close: async () => undefined }
}

/** A request that has left its process. */
interface InFlight {
  handled: Handled | undefined
  readonly sentAtMs: number
  /** Called when its sender gives up. */
  senderGone: () => void
}

async function send(
  options: TransportOptions,
  request: HttpRequest,
  { timeoutMs, signal, signalBeforeSent }: SendOptions,
): Promise<HttpResponse> {
  const { scheduler, process, random } = options
  const path = request.url.replace(/^https:\/\/[^/]*/, '')
  const delivery = deliveryOf(options, request)
  const { sees } = delivery
  const words = () => `sends ${request.method} ${path} ${request.body ?? ''} ${delivery.words}`
  const isAborted = (one: AbortSignal | undefined): boolean => one?.aborted === true
  const inFlight = await scheduler.step(process, { words }, async (): Promise<InFlight> => {
    if (isAborted(signal) || isAborted(signalBeforeSent))
      throw new TransportFailure('aborted', false, 'it was aborted')
    if (sees.kind === 'failure' && !sees.sent)
      throw new TransportFailure(sees.reason, false, 'the connection was refused')
    return leave(options, request, delivery)
  })
  const isTimeout = sees.kind === 'failure' && sees.reason === 'timeout'
  const longestMs = delivery.isAnsweredLate === true ? timeoutMs : 50
  const waitMs = isTimeout || delivery.arrives === 'slowly' ? timeoutMs : 1 + random.below(longestMs)
  const end = {
    words: () => `sees the end of ${request.method} ${path}`,
    readyAtMs: inFlight.sentAtMs + waitMs + (isTimeout ? options.oversleepMs() : 0),
    isReady: () => isAborted(signal) || (delivery.arrives === 'slowly' && inFlight.handled !== undefined),
  }
  return scheduler.step(process, end, () => {
    if (isAborted(signal)) {
      inFlight.senderGone()
      options.watch.onDoubt(request)
      throw new TransportFailure('aborted', true, 'it was aborted')
    }
    // A delivery slower than the timeout: the sender learns nothing from the service.
    if (sees.kind === 'the response' && inFlight.handled === undefined) options.watch.onDoubt(request)
    if (sees.kind === 'the response' && inFlight.handled !== undefined)
      options.watch.onAnswer?.(request, inFlight.handled)
    return responseOf(delivery, inFlight.handled)
  })
}

/** Draws a delivery, within what can happen to this request. */
function deliveryOf(
  { random, deliveryFaultRate, watch: { replay } }: TransportOptions,
  { method }: HttpRequest,
): Delivery {
  if (!random.chance(deliveryFaultRate())) return DELIVERED
  const delivery = random.pick(DELIVERY_FAULTS)
  // A gateway repeats only what an idempotency key protects.
  if (delivery.arrives === 'twice') return replay === 'keyed' ? delivery : { ...delivery, arrives: 'at once' }
  if (delivery.arrives !== 'late') return delivery
  if (method === 'GET') return { ...delivery, arrives: 'never' }
  return replay === 'safe' ? { ...delivery, arrives: 'at once' } : delivery
}

async function leave(options: TransportOptions, request: HttpRequest, delivery: Delivery): Promise<InFlight> {
  const { scheduler, process, random, watch, latestMs } = options
  const isWrite = request.method !== 'GET'
  const inFlight: InFlight = {
    handled: undefined,
    sentAtMs: scheduler.nowMs,
    senderGone: () => undefined,
  }
  if (isWrite) watch.beforeSend(request)
  // With a 429, the service says that it has done nothing.
  const isRefused = delivery.sees.kind === 'status' && delivery.sees.status === 429
  if (delivery.sees.kind !== 'the response' && !isRefused) watch.onDoubt(request)
  const arrive = async () => {
    const handled = await watch.arrive(request)
    inFlight.handled ??= handled
  }
  if (delivery.arrives === 'at once' || delivery.arrives === 'twice') await arrive()
  if (delivery.arrives === 'at once' || delivery.arrives === 'never') return inFlight
  // A refused request does not use up its key: a gateway that repeats it could perform it, and pay cannot prevent that.
  if (delivery.arrives === 'twice' && inFlight.handled?.isApplied !== true) return inFlight
  const arrival: TimedEvent = {
    atMs: scheduler.nowMs + random.below(latestMs),
    run: async () => {
      process.onKill.delete(inFlight.senderGone)
      const isOvertaken = watch.isOvertaken()
      const verb = isOvertaken ? 'loses' : 'delivers'
      options.trace('network', () => `${verb} ${request.method} ${request.url} of ${watch.name}`)
      // A late request that sets a value could undo a newer one, and no client can prevent that: it is lost instead.
      if (!isOvertaken) await arrive()
    },
  }
  inFlight.senderGone = () => {
    watch.onDoubt(request)
  }
  process.onKill.add(inFlight.senderGone)
  scheduler.schedule(arrival)
  return inFlight
}

function responseOf({ sees }: Delivery, handled: Handled | undefined): HttpResponse {
  switch (sees.kind) {
    case 'failure':
      throw new TransportFailure(sees.reason, sees.sent, `the request ended with ${sees.reason}`)
    case 'status':
      return {
        status: sees.status,
        headers: sees.headers ?? {},
        body: sees.errorId === undefined ? '' : JSON.stringify({ error: { errorId: sees.errorId } }),
      }
    case 'the response': {
      if (handled === undefined) throw new TransportFailure('timeout', true, 'no response came in time')
      const { status, headers, body } = handled.reply
      return { status, headers: { ...headers, date: handled.date.toUTCString() }, body }
    }
  }
}
