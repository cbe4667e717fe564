import { describe, expect, test } from 'vitest'
import { RowAbandoned } from '../../../src/rows/send/run-errors.ts'
import { TransportFailure } from '../../../src/client/http/transport-port.ts'
import type { HttpResponse, SendOptions } from '../../../src/client/http/transport-port.ts'
import {
  answer,
  refusal,
  OK,
  INVALID,
  BUSY,
  SLOWER,
  CUT,
  REFUSED,
  createSenderBench,
  stopOf,
} from './sender-bench.ts'

describe('the run stops', () => {
  test.each<readonly [string, HttpResponse, string, number]>([
    ['after 401', refusal(401, 'Unauthorized'), 'unauthorized', 4],
    ['after 403', refusal(403, 'Forbidden'), 'forbidden', 4],
    ['after a redirect', answer(302), 'redirected', 3],
    ['after 405', answer(405), 'rejected', 3],
    ['after an unknown API version', refusal(400, 'UnsupportedApiVersion'), 'unsupported_api_version', 3],
  ])('%s', async (_, step, code, exitCode) => {
    expect(await stopOf(createSenderBench([step]).run())).toMatchObject({ code, exitCode })
  })

  test('after six refused connections with growing pauses', async () => {
    const bench = createSenderBench(Array.from({ length: 6 }, () => REFUSED))
    expect(await stopOf(bench.run())).toMatchObject({ code: 'not_connected', exitCode: 9 })
    expect(bench.waits).toEqual([250, 500, 1_000, 2_000, 4_000])
    expect(bench.seen.isInDoubt).toBe(false)
  })

  test('not if a response comes between refused connections', async () => {
    const script = [...Array.from({ length: 5 }, () => REFUSED), SLOWER]
    const bench = createSenderBench([...script, ...script, OK])
    expect(await bench.run()).toMatchObject({ outcome: 'created', retries: 12 })
  })

  test('at once if the certificate is refused', async () => {
    const bench = createSenderBench([new TransportFailure('tls', false, 'has no certificate')])
    expect(await stopOf(bench.run())).toMatchObject({ code: 'not_connected' })
  })

  test('and leaves a row in doubt if its first attempt was cut off', async () => {
    const bench = createSenderBench([CUT, ...Array.from({ length: 6 }, () => REFUSED)])
    expect(await stopOf(bench.run())).toMatchObject({ code: 'not_connected' })
    expect(bench.seen.isInDoubt).toBe(true)
  })

  test('after a hundred failures in a row', async () => {
    const bench = createSenderBench(
      Array.from({ length: 101 }, () => BUSY),
      { maxRetries: 0 },
    )
    for (let row = 0; row < 100; row += 1) expect(await bench.run()).toMatchObject({ outcome: 'unknown' })
    expect(await stopOf(bench.run())).toMatchObject({ code: 'service_failing' })
  })

  test('not if one row in a hundred is answered', async () => {
    const script = Array.from({ length: 300 }, (_, index) => (index % 100 === 99 ? INVALID : BUSY))
    const bench = createSenderBench(script, { maxRetries: 0 })
    for (let row = 0; row < 300; row += 1) await bench.run()
    expect(bench.requests).toHaveLength(300)
  })
})

describe('a halted run', () => {
  /** Behaves like a socket. */
  const hangs = ({ signal }: SendOptions) =>
    new Promise<HttpResponse>((_, reject) => {
      signal?.addEventListener('abort', () => reject(new TransportFailure('aborted', true, 'aborted')))
    })

  test('sends no new row', async () => {
    const halt = AbortSignal.abort()
    const bench = createSenderBench([OK], { halt })
    expect(await stopOf(bench.run())).toBeInstanceOf(RowAbandoned)
    expect(bench.requests).toEqual([])
    expect(bench.seen.isInDoubt).toBe(false)
  })

  test('does not repeat a row after 429', async () => {
    const halt = new AbortController()
    const bench = createSenderBench(
      [
        async () => {
          halt.abort()
          return SLOWER
        },
      ],
      { halt: halt.signal },
    )
    expect(await stopOf(bench.run())).toBeInstanceOf(RowAbandoned)
    expect(bench.seen.isInDoubt).toBe(false)
  })

  test('repeats a row in doubt', async () => {
    const halt = new AbortController()
    const cut = async () => {
      halt.abort()
      throw CUT
    }
    const wasStopped: unknown[] = []
    const ok = async ({ signalBeforeSent }: SendOptions) => {
      wasStopped.push(signalBeforeSent?.aborted)
      return OK
    }
    const bench = createSenderBench([cut, ok], { halt: halt.signal })
    expect(await bench.run()).toMatchObject({ outcome: 'created' })
    expect(wasStopped).not.toContain(true)
  })

  test('waits for responses until it is abandoned, which leaves the row in doubt', async () => {
    const [halt, abandon] = [new AbortController(), new AbortController()]
    const bench = createSenderBench([hangs], { halt: halt.signal, abandon: abandon.signal })
    const sending = stopOf(bench.run())
    await new Promise((resolve) => setImmediate(resolve))
    halt.abort()
    abandon.abort()
    expect(await sending).toBeInstanceOf(RowAbandoned)
    expect(bench.seen.isInDoubt).toBe(true)
  })
})
