import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { HttpResponse } from '../../src/http/transport-port.ts'
import { createBench, jsonAnswer } from '../support/run-pay.ts'
import type { Bench, RunOptions, RunResult } from '../support/run-pay.ts'

let bench: Bench
beforeEach(() => {
  bench = createBench()
})
afterEach(() => {
  bench.dispose()
})

const MONEY = { PAY_API_KEY: 'key-of-env-0123', PAY_BASE_URL: 'http://127.0.0.1:9' }

const answer = (body: string, status = 200): HttpResponse => ({
  status,
  headers: { 'content-type': 'application/json' },
  body,
})

const run = (words: string, body: string, options: RunOptions = {}): Promise<RunResult> =>
  bench.runPay(words, { service: () => answer(body), env: MONEY, ...options })

const PAYMENT =
  '{"zeta":1,"id":"p1","status":"SETTLED","amount":700,"currencyCode":"EUR","new":{"b":[1.10,1e400,-0,9007199254740993,123456789012345678901234567890],"a":null},"orderId":"A-1","x":true,"x":false}'
const LIST = `{"data":[{"id":"p1","amount":700,"extra":9007199254740993},{"id":"p2","amount":800}],"nextCursor":null}`

describe('JSON', () => {
  test('is the answer unedited: unknown fields, their order, every digit, a key that stands twice', async () => {
    const got = await run('payment get p1 -o json', PAYMENT)
    expect(got.exitCode).toBe(0)
    expect(got.stdout.replaceAll(/\s/g, '')).toBe(PAYMENT.replaceAll(/\s/g, ''))
    expect(got.stdout.endsWith('}\n')).toBe(true)
  })

  test('is the same whether stdout is a terminal or a pipe', async () => {
    const piped = await run('payment get p1 -o json', PAYMENT)
    const shown = await run('payment get p1 -o json', PAYMENT, { tty: true })
    expect(shown.stdout).toBe(piped.stdout)
  })

  test('of a write is unedited too', async () => {
    const got = await run('payment capture p1 --amount 700 -o json', PAYMENT)
    expect(got.stdout.replaceAll(/\s/g, '')).toBe(PAYMENT.replaceAll(/\s/g, ''))
  })

  test('keeps text that would steer a terminal, as escapes that mean the same', async () => {
    const name = 'a\u001b[31mred\u001b[0m \u202Etxt\u202C \u0007\u009b2J'
    const got = await run(
      'payment get p1 -o json',
      JSON.stringify({ id: 'p1', customer: { firstName: name } }),
    )
    expect(got.stdout).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202A-\u202E]/)
    expect(JSON.parse(got.stdout)).toEqual({ id: 'p1', customer: { firstName: name } })
  })
})

describe('each format of one payment', () => {
  test.each([
    ['ndjson', /^\{"zeta":1,"id":"p1",.*\}\n$/],
    ['yaml', /^zeta: 1\nid: p1\nstatus: SETTLED\n/],
    ['csv', /^[^\n]*id[^\n]*\n[^\n]*p1[^\n]*\n$/],
    ['id', /^p1\n$/],
    ['table', /SETTLED/],
  ])('%s', async (format, form) => {
    const got = await run(`payment get p1 -o ${format}`, PAYMENT)
    expect(got.exitCode).toBe(0)
    expect(got.stdout).toMatch(form)
  })

  test.each(['json', 'ndjson', 'yaml'])('%s keeps every digit', async (format) => {
    const got = await run(`payment get p1 -o ${format}`, PAYMENT)
    for (const digits of ['1.10', '1e400', '9007199254740993', '123456789012345678901234567890'])
      expect(got.stdout).toContain(digits)
  })
})

describe('each format of a list', () => {
  test.each([
    ['ndjson', '{"id":"p1","amount":700,"extra":9007199254740993}\n{"id":"p2","amount":800}\n'],
    ['id', 'p1\np2\n'],
  ])('%s has one entry a line', async (format, stdout) => {
    expect(await run(`payment list -o ${format}`, LIST)).toMatchObject({ exitCode: 0, stdout })
  })

  test('csv has a header and a line an entry', async () => {
    const { stdout } = await run('payment list -o csv', LIST)
    expect(stdout.split('\n')).toHaveLength(4)
  })

  test('json keeps the envelope', async () => {
    const { stdout } = await run('payment list -o json', LIST)
    expect(stdout.replaceAll(/\s/g, '')).toBe(LIST)
  })

  test.each([
    ['json', '{\n  "data": []\n}\n'],
    ['ndjson', ''],
    ['id', ''],
    ['yaml', 'data: []\n'],
    ['table', 'No payments found.\n'],
  ])('%s of an empty list', async (format, stdout) => {
    expect(await run(`payment list -o ${format}`, '{"data":[]}')).toMatchObject({ exitCode: 0, stdout })
  })
})

describe('-o id prints the own id of each resource alone', () => {
  test('payment, client token, record, points, saved method, profile', async () => {
    const id = async (line: string) => {
      const ran = await bench.runPay(`--sandbox ${line} -o id`)
      expect(ran.exitCode).toBe(0)
      return ran.stdout
    }
    const token = await id('session create --order-id A-1 --amount 100 --currency EUR')
    expect(token).toMatch(/^[\w-]+\.[\w-]+\.[\w-]+\n$/)
    const payment = await id(
      'payment create --token tok_visa --amount 100 --currency EUR --order-id A-1 --customer-id c1 --vault-on-success',
    )
    expect(payment).toMatch(/^[A-Za-z0-9]{9}\n$/)
    expect(await id(`payment get ${payment.trim()}`)).toBe(payment)
    expect(await id(`payment capture ${payment.trim()}`)).toBe(payment)
    expect(await id('payment list')).toBe(payment)
    const saved = await id('instrument list --customer-id c1')
    expect(saved).toMatch(/^\S{36}\n$/)
    expect(await id(`instrument default ${saved.trim()}`)).toBe(saved)
    expect(
      await id(
        'obs push --payment-id ext-1 --currency EUR --processor ACME --amount 5 --created-at 2026-01-01T00:00:00Z --order-id A-1 --payment-method-type PAYMENT_CARD',
      ),
    ).toBe('ext-1\n')
    expect(
      await id('loyalty redeem --connection-id points-1 --customer-id c1 --order-id A-1 --value 5'),
    ).toMatch(/^\S+\n$/)
    expect(await id('sandbox tokenize --card 4111111111111111')).toMatch(/^[\w-]{36}\n$/)
  })
})

describe('--query', () => {
  test.each([
    ['status', '"SETTLED"\n'],
    ['new.b[3]', '9007199254740993\n'],
    ['new.b[4]', '123456789012345678901234567890\n'],
    ['nothing', 'null\n'],
    ["join('-', [id, status])", '"p1-SETTLED"\n'],
  ])('%s means json', async (query, stdout) => {
    expect(await run(`payment get p1 --query "${query}"`, PAYMENT)).toMatchObject({ exitCode: 0, stdout })
  })

  test.each([
    ['yaml', 'id: p1\n'],
    ['ndjson', '{"id":"p1"}\n'],
    ['csv', 'id\np1\n'],
  ])('goes with %s', async (format, stdout) => {
    const got = await run(`payment get p1 --query "{id: id}" -o ${format}`, PAYMENT)
    expect(got).toMatchObject({ exitCode: 0, stdout })
  })

  test('with -o id prints bare words, one a line, for a shell loop', async () => {
    const got = await run('payment list --query "data[].id" -o id', LIST)
    expect(got).toMatchObject({ exitCode: 0, stdout: 'p1\np2\n' })
  })

  test('that is wrong is found before anything is sent', async () => {
    for (const line of [
      'payment capture p1 --amount 5',
      'payment get p1',
      'payment list',
      'session create --order-id a',
      'api POST /payments/p1/refund --set amount:=5',
    ]) {
      const refused = await bench.runPay([...line.split(' '), '--query', 'data[?'], {
        env: MONEY,
        service: () => jsonAnswer(200, {}),
      })
      expect(refused).toMatchObject({ exitCode: 2, stdout: '', requests: [] })
      expect(JSON.parse(refused.stderr.trim())).toMatchObject({ error: { code: 'bad_query' } })
    }
  })

  test('that does not fit the answer of a write never hides that it was done', async () => {
    const done = await run('payment capture p1 --amount 700 --query "abs(id)"', PAYMENT)
    expect(done.exitCode).toBe(0)
    expect(done.stdout.replaceAll(/\s/g, '')).toBe(PAYMENT.replaceAll(/\s/g, ''))
    expect(done.stderr).toContain('--query')
  })

  test('that does not fit the answer of a read is refused', async () => {
    const refused = await run('payment get p1 --query "abs(id)"', PAYMENT)
    expect(refused).toMatchObject({ exitCode: 2, stdout: '' })
  })
})

describe('text of the server', () => {
  const HOSTILE = JSON.stringify({
    id: 'p1\u001b]0;owned\u0007',
    status: 'SETTLED\u001b[2J',
    amount: 700,
    currencyCode: 'EUR',
    orderId: 'A\u202Egpj\u202C\u200B',
    customer: { firstName: '\u001b[31mred' },
  })

  test.each(['table', 'json', 'ndjson', 'yaml', 'csv', 'id'])(
    'cannot steer the terminal in %s',
    async (format) => {
      const got = await run(`payment get p1 -o ${format}`, HOSTILE, { tty: true, columns: 80 })
      const ours = got.stdout.replaceAll(/\u001b\[\d+m/g, format === 'table' ? '' : '$&')
      expect(ours).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u200B\u202A-\u202E]/)
      expect(ours).not.toContain('\u001b')
    },
  )

  test.each(['table', 'json'])('cannot steer it in an error of %s', async (format) => {
    const body = JSON.stringify({
      error: {
        errorId: 'Bad\u001b[2J',
        description: 'no\u001b[31m\u202E\nway',
        diagnosticsId: 'd\u009b2J',
        recoverySuggestion: '\u0007bell',
        validationErrors: [
          { model: 'M', errors: [{ path: '$.\u001b[1m', description: '\u001b]0;x\u0007' }] },
        ],
      },
    })
    const got = await bench.runPay(`payment get p1 -o ${format}`, {
      tty: format === 'table',
      env: { ...MONEY, NO_COLOR: '1' },
      service: () => answer(body, 422),
    })
    expect(got.exitCode).toBe(3)
    expect(got.stderr).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202A-\u202E]/)
  })

  test('that is no JSON cannot steer it either', async () => {
    const got = await run('payment capture p1 --amount 5', '<html>\u001b[2J\u009bred</html>')
    expect(got.exitCode).toBe(10)
    expect(got.stdout + got.stderr).not.toMatch(/[\u001b\u009b]/)
  })
})

describe('a query that selects nothing', () => {
  test.each([
    ['', 'null\n'],
    ['-o yaml', 'null\n'],
    ['-o ndjson', 'null\n'],
    ['-o id', ''],
  ])('prints what it is, and says so: %s', async (format, stdout) => {
    const got = await run(`payment get p1 --query nope ${format}`, PAYMENT)
    expect(got).toMatchObject({ exitCode: 0, stdout })
    expect(got.stderr).toContain('--query selected nothing.')
    expect((await run(`payment get p1 --query nope -q ${format}`, PAYMENT)).stderr).toBe('')
  })

  test('is no query that selects an empty list or the word', async () => {
    for (const query of ['`[]`', `"'null'"`, 'id'])
      expect((await run(`payment get p1 --query ${query}`, PAYMENT)).stderr).toBe('')
  })

  test('of a list of our own too', async () => {
    const got = await bench.runPay('ops list --query nope')
    expect(got).toMatchObject({ exitCode: 0, stdout: 'null\n' })
    expect(got.stderr).toContain('--query selected nothing.')
  })
})

describe('times', () => {
  const SESSION = '{"clientToken":"t","clientTokenExpirationDate":"2026-11-20T15:36:16.367687"}'
  const create = (words: string, timeZone?: string) =>
    run(`session create --order-id A-1 ${words}`, SESSION, timeZone === undefined ? {} : { timeZone })

  test('are shown in the zone of the machine, which they name, or else in UTC', async () => {
    expect((await create('', 'Asia/Tokyo')).stdout).toContain('2026-11-21 00:36:16 GMT+9')
    expect((await create('')).stdout).toContain('2026-11-20 15:36:16 UTC')
  })

  test('are left as they are in JSON', async () => {
    expect((await create('--json', 'Asia/Tokyo')).stdout).toContain('2026-11-20T15:36:16.367687')
  })
})

describe('colour', () => {
  const colored = (result: RunResult) => /\u001b\[\d/.test(result.stdout)

  test.each([
    ['--color always', {}, false, true],
    ['--color never', {}, true, false],
    ['--color auto', {}, true, true],
    ['--color auto', {}, false, false],
    ['', {}, true, true],
    ['', {}, false, false],
    ['', { NO_COLOR: '1' }, true, false],
    ['', { NO_COLOR: '' }, true, true],
    ['', { FORCE_COLOR: '1' }, false, true],
    ['', { FORCE_COLOR: '1', NO_COLOR: '1' }, true, false],
    ['--color auto', { FORCE_COLOR: '1', NO_COLOR: '1' }, true, false],
    ['', { FORCE_COLOR: '0' }, true, false],
    ['--color always', { NO_COLOR: '1' }, false, true],
    ['--color never', { FORCE_COLOR: '1' }, true, false],
    ['', { TERM: 'dumb' }, true, false],
  ])('"%s" with %j, terminal %s: %s', async (words, env, tty, isColored) => {
    const got = await run(`payment get p1 ${words}`, PAYMENT, { tty, env: { ...MONEY, ...env } })
    expect(colored(got)).toBe(isColored)
  })

  test.each(['json', 'ndjson', 'yaml', 'csv', 'id'])('is never in %s', async (format) => {
    const got = await run(`payment get p1 --color always -o ${format}`, PAYMENT, {
      tty: true,
      env: { ...MONEY, FORCE_COLOR: '3' },
    })
    expect(got.exitCode).toBe(0)
    expect(got.stdout).not.toContain('\u001b')
  })

  test('is never in the error of a machine format', async () => {
    const got = await bench.runPay('payment get p1 --color always -o json', {
      tty: true,
      env: { ...MONEY, FORCE_COLOR: '3' },
      service: () => answer('{}', 404),
    })
    expect(got.stderr).not.toContain('\u001b')
  })
})
