import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { EXIT, PayError } from '../../../src/errors.ts'
import { createInProcessTransport } from '../../../src/client/http/in-process-transport.ts'
import type { DeliveryFault } from '../../../src/api/delivery-fault.ts'
import type { InProcessService } from '../../../src/client/http/in-process-transport.ts'
import type { SendOptions, HttpRequest } from '../../../src/client/http/transport-port.ts'

const REQUEST: HttpRequest = {
  method: 'GET',
  url: 'http://sandbox.localhost/payments',
  headers: {},
  body: undefined,
}
const ANSWER = { status: 200, headers: { 'x-request-id': 'r-1' }, body: '{}' }

/** One request to a service that answers, or fails, as told; with the waits that it took. */
async function send(
  handle: InProcessService['handle'],
  options: Partial<SendOptions> = {},
  onSleep = () => {},
) {
  const waits: number[] = []
  const transport = createInProcessTransport(
    { handle, close: async () => {} },
    {
      sleep: async (ms) => {
        waits.push(ms)
        onSleep()
      },
    },
  )
  const sent = await transport.send(REQUEST, { timeoutMs: 30_000, ...options }).then(
    (answer) => ({ answer }),
    (failure: unknown) => ({ failure }),
  )
  return { ...sent, waits }
}

const meet = (deliveryFault: DeliveryFault, options?: Partial<SendOptions>, onSleep?: () => void) =>
  send(async () => ({ ...ANSWER, deliveryFault }), options, onSleep)

test('hands over an answer as it is', async () => {
  expect(await send(async () => ANSWER)).toEqual({ answer: ANSWER, waits: [] })
})

test.each<[DeliveryFault, object]>([
  [
    { kind: 'refused' },
    { reason: 'refused', sent: false, message: 'sandbox.localhost refused the connection' },
  ],
  [{ kind: 'dropped' }, { reason: 'cut', sent: true }],
  [{ kind: 'truncated' }, { reason: 'cut', sent: true }],
])('%o fails at once', async (deliveryFault, failure) => {
  expect(await meet(deliveryFault)).toMatchObject({ failure, waits: [] })
})

describe('the timeout', () => {
  const timeout = { reason: 'timeout', sent: true, message: 'no complete response came within 30 s' }

  test('silence lasts until the request times out', async () => {
    expect(await meet({ kind: 'no-response' })).toMatchObject({ failure: timeout, waits: [30_000] })
  })

  test('a late answer comes after its time', async () => {
    expect(await meet({ kind: 'delayed', ms: 2_000 })).toEqual({ answer: ANSWER, waits: [2_000] })
  })

  test.each([30_000, 90_000])('an answer that is %i ms late comes too late', async (ms) => {
    expect(await meet({ kind: 'delayed', ms })).toMatchObject({ failure: timeout, waits: [30_000] })
  })

  test('a very long timeout is no longer than a timer can be', async () => {
    expect(await meet({ kind: 'no-response' }, { timeoutMs: 2 ** 40 })).toMatchObject({
      waits: [2 ** 31 - 1],
    })
  })

  test.each<DeliveryFault>([{ kind: 'no-response' }, { kind: 'delayed', ms: 10 }])(
    '%o is given up at the signal, sent as it is',
    async (deliveryFault) => {
      const stop = new AbortController()
      const given = await meet(deliveryFault, { signal: stop.signal }, () => stop.abort())
      expect(given).toMatchObject({ failure: { reason: 'aborted', sent: true } })
    },
  )

  test('the signal that only holds before sending ends no wait', async () => {
    const stop = new AbortController()
    const given = await meet({ kind: 'delayed', ms: 10 }, { signalBeforeSent: stop.signal }, () =>
      stop.abort(),
    )
    expect(given).toEqual({ answer: ANSWER, waits: [10] })
  })
})

describe('a service that does not answer', () => {
  beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }))
  afterEach(() => void vi.useRealTimers())

  /** Answers, or fails, on request. */
  function slowService() {
    let [answer, fail] = [(): void => undefined, (_: Error): void => undefined]
    const handled = new Promise<typeof ANSWER>((resolve, reject) => {
      answer = () => resolve(ANSWER)
      fail = reject
    })
    return { handle: () => handled, answer: () => answer(), fail: (error: Error) => fail(error) }
  }

  test('is given up at the time limit, as one that may do it still', async () => {
    const service = slowService()
    const given = send(service.handle, { timeoutMs: 5_000 })
    await vi.advanceTimersByTimeAsync(5_000)
    expect(await given).toMatchObject({
      failure: { reason: 'timeout', sent: true, message: 'no complete response came within 5 s' },
    })
  })

  test('has until then', async () => {
    const service = slowService()
    const given = send(service.handle, { timeoutMs: 5_000 })
    await vi.advanceTimersByTimeAsync(4_999)
    service.answer()
    expect(await given).toEqual({ answer: ANSWER, waits: [] })
  })

  test('is given up at the signal, sent as it is', async () => {
    const stop = new AbortController()
    const given = send(slowService().handle, { signal: stop.signal })
    stop.abort()
    expect(await given).toMatchObject({ failure: { reason: 'aborted', sent: true } })
  })

  test('is not given up at the signal that only holds before sending', async () => {
    const [service, stop] = [slowService(), new AbortController()]
    const given = send(service.handle, { signalBeforeSent: stop.signal })
    stop.abort()
    service.answer()
    expect(await given).toMatchObject({ answer: ANSWER })
  })

  test('and fails after it was aborted, reports no error', async () => {
    const unhandled = vi.fn()
    process.on('unhandledRejection', unhandled)
    const [service, stop] = [slowService(), new AbortController()]
    const given = send(service.handle, { signal: stop.signal })
    stop.abort()
    await given
    service.fail(new Error('late'))
    // Told after the microtasks of a turn.
    await new Promise((resolve) => setImmediate(resolve))
    process.off('unhandledRejection', unhandled)
    expect(unhandled).not.toHaveBeenCalled()
  })

  test('leaves no timer behind, however it ends', async () => {
    const stop = new AbortController()
    const given = send(slowService().handle, { signal: stop.signal })
    expect(vi.getTimerCount()).toBe(1)
    stop.abort()
    await given
    await send(async () => ANSWER)
    await send(() => Promise.reject(new Error('x')))
    await meet({ kind: 'no-response' })
    expect(vi.getTimerCount()).toBe(0)
  })

  test('ends the wait for a late answer with it', async () => {
    let slept: AbortSignal | undefined
    const transport = createInProcessTransport(
      {
        handle: async () => ({ ...ANSWER, deliveryFault: { kind: 'delayed', ms: 4_000 } }),
        close: async () => {},
      },
      {
        sleep: (_, signal) => {
          slept = signal
          return new Promise(() => {})
        },
      },
    )
    const sent = transport.send(REQUEST, { timeoutMs: 5_000 })
    const failure = expect(sent).rejects.toMatchObject({ reason: 'timeout', sent: true })
    await vi.advanceTimersByTimeAsync(5_000)
    await failure
    expect(slept?.aborted).toBe(true)
  })
})

test.each(['signal', 'signalBeforeSent'])('sends nothing after %s', async (name) => {
  let handled = 0
  const given = await send(
    async () => {
      handled += 1
      return ANSWER
    },
    { [name]: AbortSignal.abort() },
  )
  expect(given).toMatchObject({ failure: { reason: 'aborted', sent: false } })
  expect(handled).toBe(0)
})

test('a service that could not begin was sent nothing', async () => {
  const error = new PayError('sandbox_busy', EXIT.notConnected, 'it is busy', { outcome: 'none' })
  const given = await send(() => Promise.reject(error))
  expect(given).toMatchObject({ failure: { reason: 'unusable', sent: false, cause: error } })
})

test.each([new PayError('sandbox_disk', EXIT.outcomeUnknown, 'x', { outcome: 'unknown' }), new Error('x')])(
  'an error that does not say so is none of ours: %o',
  async (error) => {
    expect(await send(() => Promise.reject(error))).toMatchObject({ failure: error })
  },
)

test('closes the service', async () => {
  let closed = 0
  const close = async () => {
    closed += 1
  }
  await createInProcessTransport({ handle: async () => ANSWER, close }, { sleep: async () => {} }).close()
  expect(closed).toBe(1)
})
