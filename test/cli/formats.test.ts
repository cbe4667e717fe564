import { describe, expect, test } from 'vitest'
import { useBench } from '../support/use-bench.ts'
import type { RunOptions, RunResult } from '../support/run-pay.ts'
import { LIST, MONEY, PAYMENT, answer } from './raw-answers.ts'

const bench = useBench()

const run = (words: string, body: string, options: RunOptions = {}): Promise<RunResult> =>
  bench.runPay(words, { service: () => answer(body), env: MONEY, ...options })

describe('JSON', () => {
  test('is the unedited response: unknown fields, order, every digit, duplicate keys', async () => {
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

  test('of a write is the unedited response too', async () => {
    const got = await run('payment capture p1 --amount 700 -o json', PAYMENT)
    expect(got.stdout.replaceAll(/\s/g, '')).toBe(PAYMENT.replaceAll(/\s/g, ''))
  })

  test('escapes text that would control a terminal', async () => {
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
    ['table', /Settled/],
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
  ])('%s has one entry per line', async (format, stdout) => {
    expect(await run(`payment list -o ${format}`, LIST)).toMatchObject({ exitCode: 0, stdout })
  })

  test('csv has a header and one line per entry', async () => {
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

test("-o id prints only the resource's own id of payments, sessions, records, points, saved methods and profiles", async () => {
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
