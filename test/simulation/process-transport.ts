import { TransportFailure } from '../../src/http/transport-port.ts'
import type { SendOptions, Transport, HttpResponse, HttpRequest } from '../../src/http/transport-port.ts'
import type { Chance } from './random.ts'
import type { Command } from './command.ts'
import { MISHAPS, WELL } from './deliveries.ts'
import type { Fate } from './deliveries.ts'
import type { Happening, Process, Scheduler } from './scheduler.ts'
import type { Arrival, Service } from './service.ts'
import type { Watch } from './monitor.ts'

export interface TransportOptions {
  readonly scheduler: Scheduler
  readonly process: Process
  readonly service: Service
  readonly watch: Watch
  readonly chance: Chance
  readonly command: Command
  /** After its sender has given up or died. */
  readonly latestMs: number
  /** How often something goes wrong. */
  readonly mishaps: () => number
  /** What a wait may take longer, as on a machine that sleeps. */
  readonly oversleepMs: () => number
  readonly tell: (who: string, words: () => string) => void
}

/** How one process reaches the service. Every request has its fate; the service's own answers are the sandbox's. */
export function processTransport(options: TransportOptions): Transport {
  return { send: (request, sendOptions) => send(options, request, sendOptions), close: async () => undefined }
}

interface Flight {
  arrival: Arrival | undefined
  readonly sentAtMs: number
  /** Its sender has given up: what is still on its way arrives soon, or never. */
  hurry: () => void
}

async function send(
  options: TransportOptions,
  request: HttpRequest,
  { timeoutMs, signal, signalBeforeSent }: SendOptions,
): Promise<HttpResponse> {
  const { scheduler, process, chance } = options
  const path = request.url.replace(/^https:\/\/[^/]*/, '')
  const fate = fateOf(options, request)
  const words = () => `sends ${request.method} ${path} ${request.body ?? ''} ${fate.words}`
  const isAborted = (one: AbortSignal | undefined): boolean => one?.aborted === true
  const flight = await scheduler.at(process, { words }, async (): Promise<Flight> => {
    if (isAborted(signal) || isAborted(signalBeforeSent))
      throw new TransportFailure('aborted', false, 'it was given up')
    if (fate.meets.kind === 'failure' && !fate.meets.sent)
      throw new TransportFailure(fate.meets.reason, false, 'the connection was refused')
    return leave(options, request, fate, timeoutMs)
  })
  const isTimeout = fate.meets.kind === 'failure' && fate.meets.reason === 'timeout'
  const waitMs = isTimeout || fate.arrives === 'slowly' ? timeoutMs : 1 + chance.below(50)
  const point = {
    words: () => `meets the end of ${request.method} ${path}`,
    readyAtMs: flight.sentAtMs + waitMs + (isTimeout ? options.oversleepMs() : 0),
    isReady: () => isAborted(signal) || (fate.arrives === 'slowly' && flight.arrival !== undefined),
  }
  return scheduler.at(process, point, () => {
    if (isAborted(signal)) {
      flight.hurry()
      options.command.wasInDoubt = true
      throw new TransportFailure('aborted', true, 'it was given up')
    }
    // Slower than anybody waits: it ends without a word of the service.
    if (fate.meets.kind === 'the answer' && flight.arrival === undefined) options.command.wasInDoubt = true
    return meet(fate, flight.arrival)
  })
}

function fateOf({ chance, mishaps, command }: TransportOptions, { method }: HttpRequest): Fate {
  if (!chance.happens(mishaps())) return WELL
  const fate = chance.pick(MISHAPS)
  if (fate.arrives === 'twice')
    return command.plan.operation.replay === 'keyed' ? fate : { ...fate, arrives: 'at once' }
  if (fate.arrives !== 'late') return fate
  if (method === 'GET') return { ...fate, arrives: 'never' }
  return command.plan.operation.replay === 'safe' ? { ...fate, arrives: 'at once' } : fate
}

async function leave(
  options: TransportOptions,
  request: HttpRequest,
  fate: Fate,
  timeoutMs: number,
): Promise<Flight> {
  const { scheduler, process, service, watch, chance, command, latestMs } = options
  const isWrite = request.method !== 'GET'
  const flight: Flight = {
    arrival: undefined,
    sentAtMs: scheduler.nowMs,
    hurry: () => undefined,
  }
  if (isWrite) watch.sends(command, request)
  if (fate.meets.kind !== 'the answer') command.wasInDoubt = true
  const arrive = async () => {
    const amountBefore = amountOf(service, command)
    const arrival = await service.arrive(request)
    flight.arrival ??= arrival
    if (isWrite) watch.arrived(command, arrival, amountOf(service, command) !== amountBefore)
  }
  if (fate.arrives === 'at once' || fate.arrives === 'twice') await arrive()
  if (fate.arrives === 'at once' || fate.arrives === 'never') return flight
  // A key that was not used protects nothing: a refusal that is tried again behind our back is nobody's to prevent.
  if (fate.arrives === 'twice' && flight.arrival?.isApplied !== true) return flight
  const givenUpMs = fate.meets.kind === 'failure' && fate.meets.reason === 'timeout' ? timeoutMs : 0
  const happening: Happening = {
    atMs: scheduler.nowMs + (fate.arrives === 'late' ? givenUpMs : 0) + chance.below(latestMs),
    go: async () => {
      process.whenKilled.delete(flight.hurry)
      const isOvertaken = watch.isOvertaken(command)
      const verb = isOvertaken ? 'loses' : 'brings'
      options.tell('network', () => `${verb} ${request.method} ${request.url} of ${command.name}`)
      // What only sets a value cannot be kept from undoing what another write has set since.
      if (!isOvertaken) await arrive()
    },
  }
  flight.hurry = () => {
    happening.atMs = Math.min(happening.atMs, scheduler.nowMs + chance.below(latestMs))
    command.wasInDoubt = true
  }
  process.whenKilled.add(flight.hurry)
  scheduler.later(happening)
  return flight
}

function meet({ meets }: Fate, arrival: Arrival | undefined): HttpResponse {
  switch (meets.kind) {
    case 'failure':
      throw new TransportFailure(meets.reason, meets.sent, `it met ${meets.reason}`)
    case 'status':
      return {
        status: meets.status,
        headers: meets.headers ?? {},
        body: meets.errorId === undefined ? '' : JSON.stringify({ error: { errorId: meets.errorId } }),
      }
    case 'the answer': {
      if (arrival === undefined) throw new TransportFailure('timeout', true, 'no answer came in time')
      const { status, headers, body } = arrival.reply
      return { status, headers, body }
    }
  }
}

/** What an adjustment sets. */
function amountOf(service: Service, { plan }: Command): number | undefined {
  const { id } = plan.params
  return plan.operation.id === 'payment.adjust' && id !== undefined ? service.payment(id).amount : undefined
}
