import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { useBench } from '../../../support/use-bench.ts'
import type { HttpResponse } from '../../../../src/client/http/transport-port.ts'
import { openSandbox } from '../../../../src/sandbox/sandbox.ts'
import { SERVICE_ENV, envelope } from '../../../support/error-envelope.ts'
import { errorOf } from '../../../support/run-result.ts'
import { jsonAnswer } from '../../../support/run-pay.ts'
import type { RunOptions } from '../../../support/run-pay.ts'
import { storeProfile } from '../../../support/stored-profile.ts'

const bench = useBench()

/** An account that answers as the sandbox does, but for what `change` does to the answers to one kind of request. */
async function accountThat(
  route: RegExp = /^$/,
  change: (answer: HttpResponse) => HttpResponse = (answer) => answer,
): Promise<RunOptions> {
  const sandbox = await openSandbox({ folder: undefined, now: () => new Date(), random: Math.random })
  onTestFinished(() => sandbox.close())
  return {
    env: SERVICE_ENV,
    service: async (request) => {
      const headers = { ...request.headers, 'x-api-key': 'sandbox_all' }
      const answer = await sandbox.handle({ ...request, headers })
      return route.test(`${request.method} ${new URL(request.url).pathname}`) ? change(answer) : answer
    },
  }
}

const CAPTURE = /^POST \/payments\/\w+\/capture$/

const withBody =
  (change: (body: Record<string, unknown>) => unknown) =>
  (answer: HttpResponse): HttpResponse => ({
    ...answer,
    body: JSON.stringify(change(JSON.parse(answer.body))),
  })

async function compare(options: RunOptions, words = '') {
  const result = await bench.runPay(`sandbox compare --json ${words}`, options)
  return { ...result, report: JSON.parse(result.stdout === '' ? 'null' : result.stdout) }
}

test('an account that answers like the sandbox has no differences', async () => {
  const account = await accountThat()
  expect(await compare(account)).toMatchObject({
    exitCode: 0,
    report: { apiVersion: '2.1', calls: 12, differences: [] },
  })
  expect(await bench.runPay('sandbox compare', account)).toMatchObject({
    exitCode: 0,
    stdout: 'No differences in 12 calls.\n',
  })
})

describe('differences', () => {
  const STEP = { step: 'Capture part of it, and release the rest', operation: 'payment.capture' }

  test.each([
    [
      'of a type, and what is missing, but not what is inside that',
      withBody(({ processor: _, amount: __, ...body }) => ({ ...body, amount: '1', shop: { name: 'x' } })),
      [
        { what: 'shape', path: '$.amount', account: 'string', sandbox: 'number' },
        { what: 'shape', path: '$.shop', account: 'object', sandbox: 'missing' },
        { what: 'shape', path: '$.processor', account: 'missing', sandbox: 'object' },
      ],
    ],
    [
      'in a list',
      withBody((body) => ({ ...body, transactions: [{ ...Object(body['transactions'])[0], amount: null }] })),
      [{ what: 'shape', path: '$.transactions[].amount', account: 'null', sandbox: 'number' }],
    ],
    [
      'in status and error ID, without the shape of an error',
      () => jsonAnswer(422, envelope('InvalidPaymentStatus')),
      [
        { what: 'status', account: '422', sandbox: '200' },
        { what: 'errorId', account: 'InvalidPaymentStatus', sandbox: 'missing' },
      ],
    ],
  ])('%s', async (_, change, differences) => {
    const { report, ...result } = await compare(await accountThat(CAPTURE, change))
    expect(result.exitCode).toBe(14)
    expect(errorOf(result)).toMatchObject({ code: 'differences_found', exitCode: 14 })
    const ofCapture = report.differences.filter(({ step }: { readonly step: string }) => step === STEP.step)
    expect(ofCapture).toHaveLength(differences.length)
    expect(ofCapture).toEqual(expect.arrayContaining(differences.map((row) => ({ ...STEP, ...row }))))
  })

  test('are calls that are never made on one side', async () => {
    const noPayment = await accountThat(/^POST \/payments$/, () => jsonAnswer(403, envelope('Forbidden')))
    const { report } = await compare(noPayment)
    expect(report.differences).toContainEqual({
      ...STEP,
      what: 'call',
      account: 'not called',
      sandbox: 'called',
    })
  })

  test('are a table for people, and rows of CSV', async () => {
    const account = await accountThat(
      CAPTURE,
      withBody(({ amount: _, ...body }) => body),
    )
    const { stdout } = await bench.runPay('sandbox compare', account)
    expect(stdout).toMatch(/payment\.capture +\$\.amount +missing +number/)
    expect(stdout).toContain('1 difference in 12 calls.')
    expect((await bench.runPay('sandbox compare -o csv', account)).stdout).toBe(
      `step,operation,what,path,account,sandbox\n"${STEP.step}",payment.capture,shape,$.amount,missing,number\n`,
    )
  })
})

describe('a file', () => {
  test('of --out has no values, and is compared without a network or an account', async () => {
    const account = await accountThat(
      CAPTURE,
      withBody((body) => ({ ...body, secret: 'value-4711' })),
    )
    const first = await compare(account, '--out shop.json')
    const text = readFileSync(join(bench.folder, 'shop.json'), 'utf8')
    expect(text).not.toMatch(/value-4711|smoke-|tok_visa/)
    const later = await compare({}, '--against shop.json')
    expect(later).toMatchObject({ exitCode: 14, report: first.report })
    expect(later.requests.filter(({ url }) => !url.startsWith('http://sandbox.localhost/'))).toEqual([])
    expect(first.report.differences).toMatchObject([{ path: '$.secret', account: 'string' }])
  })

  test.each(['{}', 'not JSON', '{"apiVersion":"2.1","account":[{"step":1}]}'])(
    '%s is refused',
    async (text) => {
      writeFileSync(join(bench.folder, 'bad.json'), text)
      const result = await bench.runPay('sandbox compare --against bad.json')
      expect(result).toMatchObject({ exitCode: 2, stdout: '', requests: [] })
      expect(result.stderr).toContain('is not a file that pay sandbox compare --out has written')
    },
  )
})

describe('refuses, and sends nothing', () => {
  test.each(['', ' --against shop.json'])('a live profile%s', async (words) => {
    await storeProfile(bench, { name: 'prod', mode: 'live' })
    const result = await bench.runPay(`sandbox compare --profile prod${words}`, {
      service: () => jsonAnswer(200, {}),
    })
    expect(result).toMatchObject({ exitCode: 2, stdout: '', requests: [] })
    expect(result.stderr).toContain('refuses a live profile')
  })

  test('the sandbox itself', async () => {
    const result = await bench.runPay('sandbox compare --sandbox')
    expect(result).toMatchObject({ exitCode: 2, stdout: '', requests: [] })
    expect(result.stderr).toContain('--against')
  })
})

test('an account that refuses the key is not compared', async () => {
  const refusing = { env: SERVICE_ENV, service: () => jsonAnswer(401, envelope('Unauthorized')) }
  const result = await bench.runPay('sandbox compare --out shop.json', refusing)
  expect(result).toMatchObject({ exitCode: 4, stdout: '' })
  expect(result.requests).toHaveLength(1)
  expect(() => readFileSync(join(bench.folder, 'shop.json'))).toThrow('ENOENT')
})

test('--out replaces its own files alone', async () => {
  const kept = join(bench.folder, 'kept.json')
  await compare(await accountThat(), '--out kept.json')
  expect((await compare(await accountThat(), '--out kept.json')).exitCode).toBe(0)
  writeFileSync(kept, '{"mine": true}')
  expect(await compare(await accountThat(), '--out kept.json')).toMatchObject({ exitCode: 2, requests: [] })
  expect(readFileSync(kept, 'utf8')).toBe('{"mine": true}')
})
