import { describe, expect, test } from 'vitest'
import { jsonAnswer } from '../support/run-pay.ts'
import { useBench } from '../support/use-bench.ts'
import type { RunOptions } from '../support/run-pay.ts'

const bench = useBench()

const env = { PAY_API_KEY: 'key-0123456789abcdef', PAY_BASE_URL: 'http://127.0.0.1:9' }
const answering = (body: unknown, status = 200): RunOptions => ({
  env,
  service: () => jsonAnswer(status, body),
})

test.each([
  ['payment capture p1', { id: 'p1', amount: '1000' }, 'p1\n'],
  ['payment list', { data: [{ id: 'p1', amount: '1' }, { id: 'p2' }] }, 'p1\np2\n'],
  ['api GET /payments/p1', { id: 'p1', status: 'SETTLED' }, 'p1\n'],
  ['api POST /client-session', { clientToken: 'ct-1', orderId: 'A' }, 'ct-1\n'],
  [
    'api GET /payment-instruments?customer_id=c',
    { data: [{ token: 't-1' }, { token: 't-2' }] },
    't-1\nt-2\n',
  ],
  ['api GET /unknown/path', { paymentId: 'ext-1' }, 'ext-1\n'],
])('%s -o id prints only the id', async (words, body, printed) => {
  const result = await bench.runPay(`${words} -o id`, answering(body))
  expect(result).toMatchObject({ exitCode: 0, stdout: printed })
})

test('a response without an id is printed completely with -o id', async () => {
  const result = await bench.runPay('api POST /brand-new -o id --yes', answering([]))
  expect(result).toMatchObject({ exitCode: 0, stdout: '[]\n' })
})

test("a response with the payment's id that does not match the schema is printed unchanged with a warning", async () => {
  const body = { id: 'p1', amount: 'many', transactions: {} }
  const result = await bench.runPay('payment capture p1 --json', answering(body))
  expect(result.exitCode).toBe(0)
  expect(JSON.parse(result.stdout)).toEqual(body)
  expect(result.stderr).toContain('does not have the expected shape')
})

describe('a list with an entry of an unexpected shape', () => {
  const odd = { data: [{ id: 'p1', amount: '5', surprise: 1 }] }
  test.each(['payment list', 'observability list'])(
    '%s is printed unchanged with a warning',
    async (words) => {
      const result = await bench.runPay(`${words} --json`, answering(odd))
      expect(result.exitCode).toBe(0)
      expect(JSON.parse(result.stdout)).toEqual(odd)
      expect(result.stderr).toContain('does not have the expected shape')
    },
  )

  test.each(['payment list', 'observability list', 'instrument list --customer-id c'])(
    '%s has the same columns as CSV',
    async (words) => {
      const header = async (body: unknown) =>
        (await bench.runPay(`${words} -o csv`, answering(body))).stdout.split('\n')[0]
      expect(await header(odd)).toBe(await header({ data: [] }))
      expect(await header({ data: [{ token: 5 }] })).toBe(await header({ data: [] }))
    },
  )

  test('a response without a list is printed unchanged with a warning', async () => {
    const result = await bench.runPay('payment list --json', answering({ id: 'p1' }))
    expect(result.exitCode).toBe(0)
    expect(JSON.parse(result.stdout)).toEqual({ id: 'p1' })
    expect(result.stderr).toContain('does not have the expected shape')
  })

  test('a later page without a list fails the command: the list would lack the rest', async () => {
    const service = ({ url }: { readonly url: string }) =>
      jsonAnswer(200, url.includes('cursor=') ? {} : { data: [{ id: 'p1' }], nextCursor: 'c' })
    expect(await bench.runPay('payment list --all --json', { env, service })).toMatchObject({
      exitCode: 11,
      stdout: '',
    })
  })

  test('insights leave it out and say so', async () => {
    const result = await bench.runPay('insights', answering({ data: [{ paymentId: 'p1', amount: '5' }] }))
    expect(result).toMatchObject({ exitCode: 0, stderr: expect.stringContaining('lack 1 payment') })
  })
})

test.each(['payment list', 'observability list', 'insights', 'payment get --order A', 'find order:A'])(
  '%s: a response without a list is no answer',
  async (words) => {
    for (const body of [{}, { data: null }, { error: { errorId: 'X' } }]) {
      const result = await bench.runPay(`${words} -o id`, answering(body))
      expect(result).toMatchObject({ exitCode: 11, stdout: '' })
    }
  },
)

test.each<[string, unknown, string]>([
  ['an error', { error: { errorId: 'X', description: 'd' } }, 'is an error despite its status'],
  ['a list', [{ id: 'p1' }], 'is not a JSON object'],
  ['another payment', { id: 'p2', status: 'SETTLED' }, 'is about p2 instead of p1'],
])('a 2xx with %s leaves the write in doubt and says why', async (_, body, why) => {
  const result = await bench.runPay('payment refund p1 --amount 300 --max-retries 0', answering(body))
  expect(result).toMatchObject({ exitCode: 10, stdout: '' })
  expect(result.stderr).toContain(`the response (200) ${why}`)
})

test('an unfinished resume prints the payment and does not report it as done', async () => {
  const result = await bench.runPay('payment resume p1 --resume-token tok-resume-1 --json', {
    env,
    service: (request) =>
      request.method === 'GET'
        ? jsonAnswer(200, { id: 'p1', status: 'PENDING' })
        : jsonAnswer(202, { error: { errorId: 'NoActionsToHandle', description: 'still open' } }),
  })
  expect(result.exitCode).toBe(8)
  expect(JSON.parse(result.stdout)).toEqual({ id: 'p1', status: 'PENDING' })
  const people = await bench.runPay('payment resume p1 --resume-token tok-resume-1', {
    env,
    service: (request) =>
      request.method === 'GET'
        ? jsonAnswer(200, { id: 'p1', status: 'PENDING' })
        : jsonAnswer(202, { error: {} }),
  })
  expect(people.stderr).not.toContain('the operation was applied')
})

test('an unfinished resume prints the response if the payment cannot be read', async () => {
  let gets = 0
  const result = await bench.runPay('payment resume p1 --resume-token tok-resume-1 --max-retries 0', {
    env,
    service: (request) => {
      if (request.method !== 'GET') return jsonAnswer(202, { error: { errorId: 'NoActionsToHandle' } })
      gets += 1
      return gets === 1 ? jsonAnswer(200, { id: 'p1', status: 'PENDING' }) : jsonAnswer(403, {})
    },
  })
  expect(result).toMatchObject({ exitCode: 8, stdout: expect.stringContaining('NoActionsToHandle') })
})

test('one page of a list is printed as received, at any length', async () => {
  const data = Array.from({ length: 150 }, (_, index) => ({ id: `p${index}` }))
  const result = await bench.runPay('payment list -o id', answering({ data, nextCursor: 'more' }))
  expect(result.stdout.split('\n')).toHaveLength(151)
  expect(result.stderr).toContain('--all')
})

test('a repeatable call whose response is lost says that it may be sent again', async () => {
  const result = await bench.runPay(
    'observability update ext-1 --status SETTLED --max-retries 0',
    answering({}, 503),
  )
  expect(result).toMatchObject({ exitCode: 10, stderr: expect.stringContaining('safe to repeat') })
})

test('a path and a body with different records are refused before anything is sent', async () => {
  const words = ['observability', 'update', 'ext-1', '--data', '{"paymentId":"ext-2","amount":1}']
  const refused = await bench.runPay(words, answering({}))
  expect(refused).toMatchObject({ exitCode: 2, requests: [] })
  expect(refused.stderr).toContain('two values for paymentId')
  const asItIs = await bench.runPay([...words, '--no-validate'], answering({ paymentId: 'ext-1' }))
  expect(asItIs.exitCode).toBe(0)
})

test('a long Retry-After is reported', async () => {
  const result = await bench.runPay('payment get p1', {
    env,
    service: (_, attempt) =>
      attempt === 1 ? jsonAnswer(429, {}, { 'retry-after': '30' }) : jsonAnswer(200, { id: 'p1' }),
  })
  expect(result.stderr).toContain('Waiting 30 s')
  expect(bench.waits).toContain(30_000)
})

test('a preview without the payment still shows its id', async () => {
  const result = await bench.runPay('payment refund p1 --amount 300 --max-retries 0', {
    env: { ...env, NO_COLOR: '1' },
    tty: true,
    service: (request) => (request.method === 'GET' ? jsonAnswer(503, {}) : jsonAnswer(200, { id: 'p1' })),
  })
  expect(result.stderr).toMatch(/Payment\s+p1/)
})

test('--data @- reads stdin, and @ alone is refused', async () => {
  const read = await bench.runPay('--sandbox session create --data @- -o id', { stdin: '{"orderId":"A"}' })
  expect(read.exitCode).toBe(0)
  const nothing = await bench.runPay('--sandbox session create --data @')
  expect(nothing).toMatchObject({ exitCode: 2, requests: [] })
  expect(nothing.stderr).toContain('names no file')
})

test('a token that begins with a hyphen must follow --, and the error does not repeat it', async () => {
  const token = '-i36unK7memAIvuZmXMHmrfHSQa78eyb_pNU'
  const refused = await bench.runPay(['instrument', 'default', token], answering({}))
  expect(refused).toMatchObject({ exitCode: 2, requests: [] })
  expect(refused.stderr).not.toContain('i36unK7mem')
  expect(refused.stderr).toContain('after --')
  const done = await bench.runPay(['instrument', 'default', '--', token], answering({ token }))
  expect(done.exitCode).toBe(0)
  expect(done.requests[0]?.url).toContain(`/payment-instruments/${token}/default`)
})

describe('a field that is there twice', () => {
  const body = '{"id":"p1","amount":100,"amount":900,"currencyCode":"EUR","orderId":"A","orderId":"A"}'
  const service = () => ({ ...jsonAnswer(200, {}), body })

  test.each(['payment get p1', 'payment explain p1', 'payment capture p1'])(
    'is named in a warning of a table: %s',
    async (words) => {
      const { stderr, exitCode } = await bench.runPay(words, { env, service })
      expect(exitCode).toBe(0)
      expect(stderr).toContain('"amount" twice')
      expect(stderr).not.toContain('"orderId" twice')
      expect(stderr.match(/twice/g)).toHaveLength(1)
    },
  )

  test('is shown as JSON, without a warning', async () => {
    const { stderr, stdout } = await bench.runPay('payment get p1 --json', { env, service })
    expect(stdout).toMatch(/"amount": 100,\s+"amount": 900/)
    expect(stderr).toBe('')
  })

  test('is found in a list, once', async () => {
    const list = () => ({ ...jsonAnswer(200, {}), body: `{"data":[${body},${body}]}` })
    const { stderr, stdout } = await bench.runPay('payment list', { env, service: list })
    expect(stdout).toContain('9.00')
    expect(stderr.match(/"amount" twice/g)).toHaveLength(1)
  })

  test.each(['<p class="a":"b">"', '{"a":1,"a":', '{"a":1,"a":"', ''])(
    'is not looked for in %j',
    async (text) => {
      const odd = () => ({ ...jsonAnswer(200, {}), body: text })
      const { stderr } = await bench.runPay('api GET /payments/p1', { env, service: odd })
      expect(stderr).not.toContain('twice')
    },
  )

  test('equal names in different objects are no repetition', async () => {
    const { stderr } = await bench.runPay('payment list', answering({ data: [{ id: 'a' }, { id: 'b' }] }))
    expect(stderr).not.toContain('twice')
  })
})
