import type { DeliveryFault } from '../../api/delivery-fault.ts'
import { MAX_TIMER_MS } from '../../text/duration.ts'
import { PayError } from '../../errors.ts'
import { timeoutFailure } from './failure.ts'
import { TransportFailure } from './transport-port.ts'
import type { SendOptions, Transport, HttpResponse, HttpRequest } from './transport-port.ts'

/** A service in this process. */
export interface InProcessService {
  handle(request: HttpRequest): Promise<HttpResponse & { readonly deliveryFault?: DeliveryFault | undefined }>
  close(): Promise<void>
}

interface InProcessTransportOptions {
  /** Ends early when the signal is aborted. */
  readonly sleep: (ms: number, signal: AbortSignal) => Promise<void>
}

/** Sends to a service in this process. Its delivery faults cause the same failures as over a network. */
export function createInProcessTransport(
  service: InProcessService,
  { sleep }: InProcessTransportOptions,
): Transport {
  return {
    async send(request, options) {
      if (options.signal?.aborted === true || options.signalBeforeSent?.aborted === true)
        throw abortedFailure(false)
      const deadline = createDeadline(options)
      try {
        return await Promise.race([
          dispatch(request, { ...options, signal: deadline.signal }),
          deadline.reached,
        ])
      } finally {
        deadline.clear()
      }
    },
    close: () => service.close(),
  }

  async function dispatch(request: HttpRequest, options: SendOptions): Promise<HttpResponse> {
    const { deliveryFault, ...answer } = await service.handle(request).catch(rethrowAsNotSent)
    if (deliveryFault !== undefined) await deliver(deliveryFault, request, options)
    return answer
  }

  /** Returns if the response arrives after all. */
  async function deliver(
    deliveryFault: DeliveryFault,
    request: HttpRequest,
    options: SendOptions,
  ): Promise<void> {
    switch (deliveryFault.kind) {
      case 'refused':
        throw new TransportFailure('refused', false, `${new URL(request.url).host} refused the connection`)
      case 'dropped':
      case 'truncated':
        throw new TransportFailure('cut', true, 'the connection ended before the response was complete')
      case 'no-response':
        return wait(Number.POSITIVE_INFINITY, options)
      case 'delayed':
        return wait(deliveryFault.ms, options)
    }
  }

  async function wait(ms: number, { timeoutMs, signal }: SendOptions): Promise<void> {
    await sleep(Math.min(ms, timeoutMs, MAX_TIMER_MS), signal ?? new AbortController().signal)
    if (signal?.aborted === true) throw abortedFailure(true)
    if (ms >= timeoutMs) throw timeoutFailure(timeoutMs, true)
  }
}

interface Deadline {
  /** Rejects at the time limit or the signal, whichever comes first. The service may process the request anyway. */
  readonly reached: Promise<never>
  /** Ends everything that is still waiting: at the signal, and after `clear`. */
  readonly signal: AbortSignal
  readonly clear: () => void
}

function createDeadline({ timeoutMs, signal }: SendOptions): Deadline {
  const controller = new AbortController()
  const abort = () => controller.abort(abortedFailure(true))
  const timer = setTimeout(
    () => controller.abort(timeoutFailure(timeoutMs, true)),
    Math.min(timeoutMs, MAX_TIMER_MS),
  )
  signal?.addEventListener('abort', abort)
  const reached = new Promise<never>((_, reject) => {
    controller.signal.addEventListener('abort', () => reject(controller.signal.reason), { once: true })
  })
  const clear = () => {
    clearTimeout(timer)
    signal?.removeEventListener('abort', abort)
    controller.abort()
  }
  return { reached, signal: controller.signal, clear }
}

const abortedFailure = (sent: boolean) => new TransportFailure('aborted', sent, 'it was aborted')

/** If the service could not start, nothing was sent, and its own error says what to do. */
function rethrowAsNotSent(error: unknown): never {
  if (!(error instanceof PayError) || error.details.outcome !== 'none') throw error
  throw new TransportFailure('unusable', false, error.message, { cause: error })
}
