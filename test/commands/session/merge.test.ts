import { beforeEach, describe, expect, test } from 'vitest'
import { jsonAnswer } from '../../support/run-pay.ts'
import { useBench } from '../../support/use-bench.ts'
import type { RunOptions } from '../../support/run-pay.ts'
import { storeProfile } from '../../support/stored-profile.ts'
import { errorOf } from '../../support/run-result.ts'

const bench = useBench()
let clientToken: string
beforeEach(async () => {
  const data = {
    orderId: 'A-1',
    currencyCode: 'EUR',
    amount: 1000,
    customer: { emailAddress: 'ada@example.com', firstName: 'Ada', billingAddress: { city: 'Bonn' } },
    metadata: { ticket: 'T-1' },
    paymentMethod: { vaultOnSuccess: true, options: { PAYMENT_CARD: { surcharge: { amount: 5 } } } },
  }
  const created = await bench.runPay([
    '--sandbox',
    'session',
    'create',
    '-o',
    'id',
    '--data',
    JSON.stringify(data),
  ])
  clientToken = created.stdout.trim()
})
const update = (words: readonly string[], options?: RunOptions) =>
  bench.runPay(['--sandbox', 'session', 'update', '--client-token', clientToken, ...words], options)

const bodies = (requests: readonly { readonly method: string; readonly body?: string | undefined }[]) =>
  requests.filter(({ method }) => method === 'PATCH').map(({ body }): unknown => JSON.parse(body ?? ''))

describe('--merge', () => {
  test('sends the given objects merged with the current ones, and nothing else', async () => {
    const merged = await update(
      '--merge --email b@example.com --set customer.billingAddress.countryCode=DE'.split(' '),
    )
    expect(merged.exitCode).toBe(0)
    expect(bodies(merged.requests)).toEqual([
      {
        clientToken,
        customer: {
          emailAddress: 'b@example.com',
          firstName: 'Ada',
          billingAddress: { city: 'Bonn', countryCode: 'DE' },
        },
      },
    ])
  })

  test('leaves out paymentMethod.options, which cannot be sent', async () => {
    const merged = await update(['--merge', '--descriptor', 'SHOES'])
    expect(merged.exitCode).toBe(0)
    expect(bodies(merged.requests)).toEqual([
      { clientToken, paymentMethod: { vaultOnSuccess: true, descriptor: 'SHOES' } },
    ])
  })

  test('null clears a field', async () => {
    const merged = await update(['--merge', '--unset', 'customer.firstName', '--unset', 'metadata', '--json'])
    expect(bodies(merged.requests)).toEqual([
      {
        clientToken,
        customer: { emailAddress: 'ada@example.com', firstName: null, billingAddress: { city: 'Bonn' } },
        metadata: null,
      },
    ])
    expect(JSON.parse(merged.stdout)).toMatchObject({
      customer: { emailAddress: 'ada@example.com', billingAddress: { city: 'Bonn' } },
    })
  })

  test('keeps every digit of the current values', async () => {
    await storeProfile(bench)
    const service: RunOptions['service'] = ({ method }) => ({
      status: 200,
      headers: { 'content-type': 'application/json' },
      body: method === 'GET' ? '{"metadata":{"n":12345678901234567890.10}}' : '{}',
    })
    const merged = await bench.runPay('session update --client-token t-0123456 --merge --metadata a=1', {
      service,
    })
    expect(merged.requests[1]?.body).toBe(
      '{"clientToken":"t-0123456","metadata":{"n":12345678901234567890.10,"a":"1"}}',
    )
  })

  test.each([
    ['is refused', jsonAnswer(403, { error: { errorId: 'Forbidden', description: 'no' } }), 4],
    ['is not a session', jsonAnswer(200, ['?']), 2],
    ['is not JSON', { status: 200, headers: {}, body: '<html>' }, 11],
  ])('sends nothing if its read %s', async (_, answer, exitCode) => {
    await storeProfile(bench)
    const refused = await bench.runPay(
      'session update --client-token t-0123456 --merge --email b@example.com',
      { service: () => answer },
    )
    expect(refused).toMatchObject({ exitCode, stdout: '' })
    expect(refused.requests.map(({ method }) => method)).toEqual(['GET'])
  })

  test.each([
    ['orderDetails', ['--data', '{"orderDetails":{"countryCode":"DE"}}']],
    ['orderDetails', ['--unset', 'orderDetails']],
    ['lineItems', ['--data', '{"lineItems":[{"itemId":"shoe-1","amount":500}]}']],
    ['lineItems', ['--data', '{"lineItems":[{"itemId":"shoe-1","amount":500}]}', '--dry-run']],
  ])('refuses %s, which it cannot merge into order: %j', async (field, words) => {
    const refused = await update(['--merge', '--currency', 'EUR', ...words, '-o', 'json'])
    expect(refused).toMatchObject({ exitCode: 2, stdout: '', requests: [] })
    expect(errorOf(refused)).toMatchObject({
      code: 'invalid_body',
      message: `--merge cannot merge ${field}`,
      hint: expect.stringContaining('order'),
      outcome: 'none',
      validationErrors: [{ path: field }],
    })
  })

  test('in a dry run reads nothing and says what is unknown', async () => {
    const dry = await update(['--merge', '--email', 'b@example.com', '--dry-run'])
    expect(dry).toMatchObject({ exitCode: 0, requests: [] })
    expect(dry.stdout + dry.stderr).toContain('the fields that --merge adds from the current session')
  })
})

test('without --merge in a script reads nothing and shows no preview', async () => {
  const sent = await update(['--email', 'b@example.com'])
  expect(sent.requests.map(({ method }) => method)).toEqual(['PATCH'])
  expect(sent.stderr).not.toContain('DROPPED')
})

describe('on a terminal', () => {
  const dropped = (...fields: readonly string[]) =>
    `will be DROPPED, because an update replaces the whole object: ${fields.join(', ')}. --merge keeps`

  test.each([
    ['an object replaces', { customer: { emailAddress: 'b@example.com' } }, ['customer.firstName']],
    [
      'an inner object lacks',
      { order: { shipping: {} } },
      ['order.countryCode', 'order.shipping.amount', 'order.lineItems'],
    ],
    ['orderDetails replaces', { orderDetails: { countryCode: 'DE' } }, ['order.shipping.amount']],
    ['is sent again', { order: { countryCode: 'DE', shipping: { amount: null }, lineItems: [] } }, []],
    ['lineItems leaves alone', { lineItems: [{ itemId: 'sock-1', amount: 5 }] }, []],
    ['cannot be sent', { paymentMethod: { descriptor: 'SHOE' } }, ['paymentMethod.vaultOnSuccess']],
  ])('names a field that %s', async (_, body, fields) => {
    const session = {
      customer: { emailAddress: 'a@example.com', firstName: 'Ada' },
      order: { countryCode: 'FR', shipping: { amount: 500 }, lineItems: [{ itemId: 'shoe-1', amount: 5 }] },
      paymentMethod: { vaultOnSuccess: true, options: { PAYMENT_CARD: { surcharge: { amount: 5 } } } },
    }
    await storeProfile(bench)
    const sent = await bench.runPay(
      ['session', 'update', '--client-token', 't-0123456', '--data', JSON.stringify(body), '--no-validate'],
      { tty: true, columns: 300, service: () => jsonAnswer(200, session) },
    )
    expect(sent.requests.map(({ method }) => method)).toEqual(['GET', 'PATCH'])
    if (fields.length === 0) expect(sent.stderr).not.toContain('DROPPED')
    else expect(sent.stderr).toContain(dropped(...fields))
  })

  test('names nothing with --merge', async () => {
    const sent = await update(['--merge', '--email', 'b@example.com'], { tty: true })
    expect(sent.stderr).not.toContain('DROPPED')
  })

  test('says so if the session cannot be read, and the update is sent', async () => {
    await storeProfile(bench)
    const sent = await bench.runPay('session update --client-token t-0123456 --email b@example.com', {
      tty: true,
      columns: 200,
      service: ({ method }) =>
        method === 'GET'
          ? jsonAnswer(403, { error: { errorId: 'Forbidden', description: 'no' } })
          : jsonAnswer(200, {}),
    })
    expect(sent.exitCode).toBe(0)
    expect(sent.stderr).toContain('so any fields this drops are unknown')
    expect(sent.stderr).not.toContain('t-0123456')
  })

  const live = (answers: Readonly<Record<string, boolean>>, words = '') =>
    bench.runPay(`session update --client-token t-0123456 --email b@example.com ${words}`, {
      answers,
      tty: true,
      service: ({ method }) =>
        jsonAnswer(
          200,
          method === 'GET' ? { customer: { emailAddress: 'a@example.com', firstName: 'Ada' } } : {},
        ),
    })

  test('asks on a live profile before it drops anything', async () => {
    await storeProfile(bench, { mode: 'live' })
    const sentence = 'Drop 1 field from the session on LIVE profile shop?'
    const refused = await live({ [sentence]: false })
    expect(refused.exitCode).toBe(2)
    expect(bodies(refused.requests)).toEqual([])
    const sent = await live({ [sentence]: true })
    expect(bodies(sent.requests)).toHaveLength(1)
  })

  test.each(['--yes', '--merge', '--set customer.firstName=Ada'])('does not ask with %s', async (words) => {
    await storeProfile(bench, { mode: 'live' })
    const sent = await live({}, words)
    expect(sent).toMatchObject({ exitCode: 0, questions: [] })
    expect(bodies(sent.requests)).toHaveLength(1)
  })
})
