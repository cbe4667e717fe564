import { describe, expect, test } from 'vitest'
import { AdaptiveLimiter } from '../../../src/bulk/send/adaptive-limiter.ts'
import { GivenUp, RunStopped } from '../../../src/bulk/send/run-end.ts'
import { createSender } from '../../../src/bulk/send/sender.ts'
import type { OnExists, RowOutcome, SenderOptions } from '../../../src/bulk/row-outcome.ts'
import { TransportFailure } from '../../../src/http/transport-port.ts'
import type { SendOptions, HttpResponse, HttpRequest } from '../../../src/http/transport-port.ts'

type Step = HttpResponse | TransportFailure | ((options: SendOptions) => Promise<HttpResponse>)

const answer = (
  status: number,
  body: unknown = {},
  headers: Readonly<Record<string, string>> = {},
): HttpResponse => ({
  status,
  headers,
  body: typeof body === 'string' ? body : JSON.stringify(body),
})
const refusal = (status: number, errorId: string, more: object = {}) =>
  answer(status, { error: { errorId, description: `${errorId}!`, ...more } })

const OK = answer(200, { paymentId: 'ext-1' })
const EXISTS = refusal(409, 'EntityAlreadyExists')
const INVALID = refusal(422, 'RequestValidationError', {
  validationErrors: [{ model: 'M', errors: [{ path: '$.amount', description: 'too large' }] }],
})
const PAGE = answer(200, '<html><h1>Down</h1></html>', { 'content-type': 'text/html' })
const BUSY = answer(503, '<html><h1>Down</h1></html>', { 'content-type': 'text/html' })
const SLOWER = answer(429, {}, { 'retry-after': '7' })
const CUT = new TransportFailure('cut', true, 'the connection ended before the response was complete')
const TIMEOUT = new TransportFailure('timeout', true, 'no complete response came within 30 s')
const REFUSED = new TransportFailure('refused', false, 'shop.example.com refused the connection')

interface BenchOptions extends Partial<SenderOptions> {
  readonly maybeSent?: boolean
}

function createSenderBench(script: readonly Step[], options: BenchOptions = {}) {
  const requests: HttpRequest[] = []
  const waits: number[] = []
  const seen = { starts: 0, isInDoubt: false, odd: 0, asked: 0 }
  let nowMs = Date.parse('2026-03-01T12:00:00Z')
  const never = new AbortController().signal
  const sleep = async (ms: number) => {
    waits.push(ms)
    nowMs += ms
  }
  const send = createSender({
    transport: {
      close: async () => {},
      send: async (request, sendOptions) => {
        requests.push(request)
        const step = script[requests.length - 1]
        // Anything else would be repeated.
        if (step === undefined) throw new TransportFailure('aborted', true, 'beyond the script')
        if (step instanceof Error) throw step
        return typeof step === 'function' ? step(sendOptions) : step
      },
    },
    limiter: new AdaptiveLimiter({
      now: () => nowMs,
      sleep,
      concurrency: undefined,
      most: 8,
      rate: undefined,
    }),
    baseUrl: 'https://shop.example.com',
    apiKey: 'key',
    apiVersion: '2.1',
    userAgent: 'test',
    timeoutMs: 30_000,
    maxRetries: 3,
    onExists: 'update',
    now: () => new Date(nowMs),
    random: () => 0,
    sleep,
    halt: never,
    abandon: never,
    clean: (text) => text.replaceAll('4111111111111111', '[card number]'),
    onWait: (ms) => {
      seen.asked += ms
    },
    onOddAnswer: () => {
      seen.odd += 1
    },
    onAttempt: undefined,
    ...options,
  })
  const row = {
    paymentId: 'ext-1',
    body: { paymentId: 'ext-1', amount: 2500, createdAt: '2026-01-31T09:30:00Z', status: 'SETTLED' },
  }
  const run = (sent = row) =>
    send(sent, {
      maybeSent: options.maybeSent ?? false,
      starts: () => {
        seen.starts += 1
      },
      isInDoubt: () => {
        seen.isInDoubt = true
      },
    })
  return { run, row, requests, waits, seen }
}

const methodsOf = (requests: readonly HttpRequest[]) => requests.map(({ method }) => method).join(' ')

async function stopOf(sending: Promise<RowOutcome>): Promise<unknown> {
  const error: unknown = await sending.then(
    () => undefined,
    (thrown: unknown) => thrown,
  )
  return error instanceof RunStopped ? error.error : error
}

describe('what became of a row', () => {
  const TABLE: readonly (readonly [
    what: string,
    script: readonly Step[],
    onExists: OnExists,
    outcome: RowOutcome['outcome'],
    methods: string,
    retries: number,
  ])[] = [
    ['a record', [OK], 'update', 'created', 'POST', 0],
    ['a page, then a record', [PAGE, OK], 'update', 'created', 'POST POST', 1],
    ['a page, and there after that', [PAGE, EXISTS, OK], 'update', 'updated', 'POST POST PATCH', 1],
    ['a page, and there after that: skip', [PAGE, EXISTS], 'skip', 'unknown', 'POST POST', 1],
    ['a page each time', [PAGE, PAGE, PAGE, PAGE], 'update', 'unknown', 'POST POST POST POST', 3],
    ['a page for the update', [EXISTS, PAGE, OK], 'update', 'updated', 'POST PATCH PATCH', 1],
    ['a 201 without a body', [answer(201, ''), EXISTS, OK], 'update', 'updated', 'POST POST PATCH', 1],
    [
      'another record, then its own',
      [answer(200, { paymentId: 'ext-2' }), OK],
      'update',
      'created',
      'POST POST',
      1,
    ],
    ['a record without its id', [answer(200, { amount: 5 })], 'update', 'created', 'POST', 0],
    [
      'an error under 200',
      [answer(200, { message: 'maintenance' }), OK],
      'update',
      'created',
      'POST POST',
      1,
    ],
    ['half a record', [answer(200, '{"paymentId":"ext-1"'), OK], 'update', 'created', 'POST POST', 1],
    ['there already: update', [EXISTS, OK], 'update', 'updated', 'POST PATCH', 0],
    ['there already: skip', [EXISTS], 'skip', 'skipped', 'POST', 0],
    ['there already: fail', [EXISTS], 'fail', 'failed', 'POST', 0],
    ['refused', [INVALID], 'update', 'failed', 'POST', 0],
    ['refused in the update', [EXISTS, INVALID], 'update', 'failed', 'POST PATCH', 0],
    ['gone before the update', [EXISTS, refusal(404, 'EntityNotFound')], 'update', 'failed', 'POST PATCH', 0],
    ['409 of another kind', [refusal(409, 'Other')], 'update', 'failed', 'POST', 0],
    ['a 404 for the record alone', [refusal(404, 'NotFound')], 'update', 'failed', 'POST', 0],
    ['503, then a record', [BUSY, OK], 'skip', 'created', 'POST POST', 1],
    ['cut, then a record', [CUT, OK], 'skip', 'created', 'POST POST', 1],
    ['cut after it was applied: update', [CUT, EXISTS, OK], 'update', 'updated', 'POST POST PATCH', 1],
    ['cut after it was applied: skip', [CUT, EXISTS], 'skip', 'unknown', 'POST POST', 1],
    ['cut after it was applied: fail', [CUT, EXISTS], 'fail', 'unknown', 'POST POST', 1],
    ['503 and there: skip', [BUSY, EXISTS], 'skip', 'unknown', 'POST POST', 1],
    ['timeout and there: fail', [TIMEOUT, EXISTS], 'fail', 'unknown', 'POST POST', 1],
    ['cut in the update', [EXISTS, CUT, OK], 'update', 'updated', 'POST PATCH PATCH', 1],
    ['503 to the end', [BUSY, BUSY, BUSY, BUSY], 'update', 'unknown', 'POST POST POST POST', 3],
    ['cut to the end', [CUT, CUT, CUT, CUT], 'skip', 'unknown', 'POST POST POST POST', 3],
    ['a mix to the end', [CUT, BUSY, TIMEOUT, CUT], 'fail', 'unknown', 'POST POST POST POST', 3],
    ['cut, then refused', [CUT, INVALID], 'update', 'failed', 'POST POST', 1],
    ['a 1xx is no answer', [answer(101), OK], 'update', 'created', 'POST POST', 1],
    ['429 and there: skip', [SLOWER, EXISTS], 'skip', 'skipped', 'POST POST', 1],
    ['not connected and there: skip', [REFUSED, EXISTS], 'skip', 'skipped', 'POST POST', 1],
    ['not connected, then a record', [REFUSED, REFUSED, OK], 'update', 'created', 'POST POST POST', 2],
  ]
  test.each(TABLE)('%s', async (_, script, onExists, outcome, methods, retries) => {
    const bench = createSenderBench(script, { onExists })
    expect(await bench.run()).toMatchObject({ outcome, retries })
    expect(methodsOf(bench.requests)).toBe(methods)
    expect(bench.seen.starts).toBe(1)
  })

  test.each<readonly [OnExists, RowOutcome['outcome']]>([
    ['skip', 'unknown'],
    ['fail', 'unknown'],
    ['update', 'updated'],
  ])('a row that an earlier run may have sent, and that is there: %s', async (onExists, outcome) => {
    const bench = createSenderBench([EXISTS, OK], { onExists, maybeSent: true })
    expect(await bench.run()).toMatchObject({ outcome })
  })

  test('is asked about no more often than told', async () => {
    const bench = createSenderBench([CUT], { maxRetries: 0 })
    expect(await bench.run()).toMatchObject({ outcome: 'unknown', retries: 0 })
  })

  test('an update sends all fields but paymentId and createdAt', async () => {
    const bench = createSenderBench([EXISTS, OK])
    await bench.run()
    expect(bench.requests[1]?.url).toBe('https://shop.example.com/observability/payments/ext-1')
    expect(JSON.parse(bench.requests[1]?.body ?? '')).toEqual({ amount: 2500, status: 'SETTLED' })
  })

  test('a paymentId that no path can hold fails alone', async () => {
    const bench = createSenderBench([EXISTS])
    const made = await bench.run({
      ...bench.row,
      paymentId: 'a/b',
      body: { ...bench.row.body, paymentId: 'a/b' },
    })
    expect(made).toMatchObject({
      outcome: 'failed',
      retries: 0,
      message: expect.stringContaining('cannot contain /'),
    })
  })

  test('a page in place of a record is told of', async () => {
    const bench = createSenderBench([PAGE, PAGE, PAGE, PAGE])
    const { message } = await bench.run()
    expect(message).toBe('the answer (200) is a web page in place of JSON')
    expect(bench.seen.odd).toBe(4)
  })
})

describe('the words of a failure', () => {
  test.each<readonly [string, readonly Step[], string]>([
    [
      'the description and every validation error',
      [INVALID],
      'RequestValidationError!; amount "2500" too large',
    ],
    ['a page without its tags', [BUSY, BUSY, BUSY, BUSY], 'Down'],
    ['the status where there is nothing else', [answer(400, '')], 'the service answered 400'],
    ['what happened to the connection', [CUT, CUT, CUT, CUT], CUT.message],
    ['card numbers masked', [refusal(422, 'X', { description: 'no 4111111111111111' })], 'no [card number]'],
  ])('%s', async (_, script, message) => {
    expect(await createSenderBench(script).run()).toMatchObject({ message })
  })

  test('are no longer than a cell that is read', async () => {
    const errors = Array.from({ length: 500 }, (_, index) => ({ path: `$.f${index}`, description: 'wrong' }))
    const { message } = await createSenderBench([
      refusal(422, 'X', { validationErrors: [{ model: 'M', errors }] }),
    ]).run()
    expect(message?.length).toBeLessThanOrEqual(1_001)
  })
})

describe('429 and Retry-After', () => {
  test('429 never uses up the tries', async () => {
    const bench = createSenderBench([...Array.from({ length: 20 }, () => SLOWER), BUSY, OK], {
      maxRetries: 1,
    })
    expect(await bench.run()).toMatchObject({ outcome: 'created', retries: 21 })
  })

  test('429 is waited out when the tries are used up too', async () => {
    const bench = createSenderBench([BUSY, SLOWER, SLOWER, OK], { maxRetries: 1 })
    expect(await bench.run()).toMatchObject({ outcome: 'created', retries: 3 })
  })

  test.each<readonly [string, HttpResponse, number]>([
    ['seconds', SLOWER, 7_000],
    ['a date', answer(429, {}, { 'retry-after': 'Sun, 01 Mar 2026 12:00:09 GMT' }), 9_000],
    ['nothing', answer(429), 1_000],
    ['zero is no leave to knock at once', answer(429, {}, { 'retry-after': '0' }), 50],
    ['an hour is asked about every minute', answer(429, {}, { 'retry-after': '3600' }), 60_000],
    ['503 with seconds', answer(503, {}, { 'retry-after': '4' }), 4_000],
  ])('%s', async (_, first, waited) => {
    const bench = createSenderBench([first, OK])
    await bench.run()
    expect(bench.waits).toEqual([waited])
    expect(bench.seen.asked).toBe(waited)
  })

  test('an attempt without an answer makes everybody slower', async () => {
    const limiter = new AdaptiveLimiter({
      now: () => 0,
      sleep: async () => {},
      concurrency: undefined,
      most: 8,
      rate: undefined,
    })
    await createSenderBench([CUT, OK], { limiter }).run()
    expect(limiter.allowed).toBe(6)
  })

  test('holds up the other rows too', async () => {
    const bench = createSenderBench([SLOWER, OK, OK])
    const first = bench.run()
    await new Promise((resolve) => setImmediate(resolve))
    await Promise.all([first, bench.run()])
    expect(bench.waits).toEqual([7_000])
  })
})

describe('what ends the run for all rows', () => {
  test.each<readonly [string, HttpResponse, string, number]>([
    ['401', refusal(401, 'Unauthorized'), 'unauthorized', 4],
    ['403', refusal(403, 'Forbidden'), 'forbidden', 4],
    ['a redirect', answer(302), 'redirected', 3],
    ['405', answer(405), 'rejected', 3],
    ['a version that is not known', refusal(400, 'UnsupportedApiVersion'), 'unsupported_api_version', 3],
  ])('%s', async (_, step, code, exitCode) => {
    expect(await stopOf(createSenderBench([step]).run())).toMatchObject({ code, exitCode })
  })

  test('connections that are refused, after some tries, waiting longer each time', async () => {
    const bench = createSenderBench(Array.from({ length: 6 }, () => REFUSED))
    expect(await stopOf(bench.run())).toMatchObject({ code: 'not_connected', exitCode: 9 })
    expect(bench.waits).toEqual([250, 500, 1_000, 2_000, 4_000])
    expect(bench.seen.isInDoubt).toBe(false)
  })

  test('an answer in between begins the tries anew', async () => {
    const script = [...Array.from({ length: 5 }, () => REFUSED), SLOWER]
    const bench = createSenderBench([...script, ...script, OK])
    expect(await bench.run()).toMatchObject({ outcome: 'created', retries: 12 })
  })

  test('a certificate that is refused, at once', async () => {
    const bench = createSenderBench([new TransportFailure('tls', false, 'has no certificate')])
    expect(await stopOf(bench.run())).toMatchObject({ code: 'not_connected' })
  })

  test('a row that was cut and then finds nobody stays in doubt', async () => {
    const bench = createSenderBench([CUT, ...Array.from({ length: 6 }, () => REFUSED)])
    expect(await stopOf(bench.run())).toMatchObject({ code: 'not_connected' })
    expect(bench.seen.isInDoubt).toBe(true)
  })

  test('a service that only fails, after a hundred rows', async () => {
    const bench = createSenderBench(
      Array.from({ length: 101 }, () => BUSY),
      { maxRetries: 0 },
    )
    for (let row = 0; row < 100; row += 1) expect(await bench.run()).toMatchObject({ outcome: 'unknown' })
    expect(await stopOf(bench.run())).toMatchObject({ code: 'service_failing' })
  })

  test('not when one row in a hundred is answered', async () => {
    const script = Array.from({ length: 300 }, (_, index) => (index % 100 === 99 ? INVALID : BUSY))
    const bench = createSenderBench(script, { maxRetries: 0 })
    for (let row = 0; row < 300; row += 1) await bench.run()
    expect(bench.requests).toHaveLength(300)
  })
})

describe('a run that is ended', () => {
  /** As a socket does it. */
  const hangs = ({ signal }: SendOptions) =>
    new Promise<HttpResponse>((_, reject) => {
      signal?.addEventListener('abort', () => reject(new TransportFailure('aborted', true, 'it was aborted')))
    })

  test('sends no row that has not been sent', async () => {
    const halt = AbortSignal.abort()
    const bench = createSenderBench([OK], { halt })
    expect(await stopOf(bench.run())).toBeInstanceOf(GivenUp)
    expect(bench.requests).toEqual([])
    expect(bench.seen).toMatchObject({ starts: 0, isInDoubt: false })
  })

  test('does not repeat one that was told to wait', async () => {
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
    expect(await stopOf(bench.run())).toBeInstanceOf(GivenUp)
    expect(bench.seen.isInDoubt).toBe(false)
  })

  test('repeats one that is in doubt', async () => {
    const halt = new AbortController()
    const cut = async () => {
      halt.abort()
      throw CUT
    }
    const isStopped: unknown[] = []
    const ok = async ({ signalBeforeSent }: SendOptions) => {
      isStopped.push(signalBeforeSent?.aborted)
      return OK
    }
    const bench = createSenderBench([cut, ok], { halt: halt.signal })
    expect(await bench.run()).toMatchObject({ outcome: 'created' })
    expect(isStopped).not.toContain(true)
  })

  test('waits for an answer until it is given up, which leaves the row in doubt', async () => {
    const [halt, abandon] = [new AbortController(), new AbortController()]
    const bench = createSenderBench([hangs], { halt: halt.signal, abandon: abandon.signal })
    const sending = stopOf(bench.run())
    await new Promise((resolve) => setImmediate(resolve))
    halt.abort()
    abandon.abort()
    expect(await sending).toBeInstanceOf(GivenUp)
    expect(bench.seen.isInDoubt).toBe(true)
  })
})

test('--verbose is told of every attempt, with its number', async () => {
  const told: unknown[] = []
  const bench = createSenderBench([BUSY, EXISTS, OK], { onAttempt: (log) => told.push(log) })
  await bench.run()
  expect(told).toMatchObject([
    { attempt: 1, request: { method: 'POST' }, ended: { kind: 'answer', answer: { status: 503 } } },
    { attempt: 2, ended: { answer: { status: 409 } } },
    { attempt: 3, request: { method: 'PATCH' } },
  ])
})
