import { beforeEach, describe, expect, test } from 'vitest'
import { SERVICE_ENV } from '../../support/error-envelope.ts'
import { jsonAnswer } from '../../support/run-pay.ts'
import { useBench } from '../../support/use-bench.ts'

const bench = useBench()

const RECORD = {
  paymentId: 'ext-1',
  currencyCode: 'EUR',
  processor: { name: 'ACME' },
  amount: 2500,
  createdAt: '2026-01-31T09:30:00Z',
  order: { id: 'A-9' },
  paymentMethod: { paymentMethodType: 'PAYMENT_CARD' },
}
const FLAGS =
  "--payment-id ext-1 --amount '25.00 EUR' --processor ACME --created-at 2026-01-31T09:30:00Z --order-id A-9 --payment-method-type PAYMENT_CARD"
const service = { env: SERVICE_ENV, service: () => jsonAnswer(200, RECORD) }
const push = (words: readonly string[], record: unknown = RECORD) =>
  bench.runPay(['observability', 'push', '--data', JSON.stringify(record), ...words], service)

test('flags send the same record as --data', async () => {
  const result = await bench.runPay(`obs push ${FLAGS}`, service)
  expect(JSON.parse(result.requests[0]?.body ?? '')).toEqual(RECORD)
})

test('a record can be created once and updated in part', async () => {
  expect(await bench.runPay(`--sandbox observability push ${FLAGS}`)).toMatchObject({ exitCode: 0 })
  const again = await bench.runPay(`--sandbox observability push ${FLAGS}`)
  expect(again).toMatchObject({ exitCode: 6, stdout: '' })
  expect(again.stderr).toContain('pay --sandbox observability update ext-1 --set FIELD=VALUE')
  expect(again.stderr).not.toContain('PATCH')
  const updated = await bench.runPay('--sandbox obs update ext-1 --status SETTLED --processor OTHER --json')
  expect(updated.requests[0]).toMatchObject({
    method: 'PATCH',
    body: '{"processor":{"name":"OTHER"},"status":"SETTLED"}',
  })
  expect(JSON.parse(updated.stdout)).toMatchObject({
    ...RECORD,
    processor: { name: 'OTHER' },
    status: 'SETTLED',
  })
  expect(await bench.runPay('--sandbox obs update ext-2 --status SETTLED')).toMatchObject({ exitCode: 5 })
})

test.each([
  ['2026-01-31T11:30:00+02:00', '2026-01-31T09:30:00Z'],
  ['2026-01-31T09:30:00.123456Z', '2026-01-31T09:30:00.123456Z'],
  ['2026-03-01T00:30:00+05:45', '2026-02-28T18:45:00Z'],
  ['2026-01-31T09:30Z', '2026-01-31T09:30:00Z'],
])('--created-at %s is sent in UTC', async (time, sent) => {
  const result = await push(['--created-at', time])
  expect(JSON.parse(result.requests[0]?.body ?? '')).toMatchObject({ createdAt: sent })
})

describe('refused before anything is sent', () => {
  test.each([
    'yesterday',
    '2026-01-31',
    '2026-01-31T09:30:00',
    '2026-02-30T09:30:00Z',
    '2026-01-31T25:30:00Z',
    '2026-06-30T23:59:60Z',
    '2026-01-31T09:30:00+25:00',
    '1769851800',
    '',
  ])('--created-at "%s"', async (time) => {
    expect(await push(['--created-at', time])).toMatchObject({ exitCode: 2, stdout: '', requests: [] })
  })

  test.each([
    ['createdAt with an offset in --data', { createdAt: '2026-01-31T09:30:00+02:00' }, 'createdAt'],
    ['a leap second', { createdAt: '2026-06-30T23:59:60Z' }, 'createdAt'],
    ['an empty paymentId', { paymentId: '' }, 'must not be empty'],
    ['createdAt that is not a time', { createdAt: 'x' }, 'createdAt'],
    ['a negative amount', { amount: -1 }, 'must be 0 or more'],
    ['a fraction', { amount: 0.5 }, 'whole number'],
    ['an amount above 2^53', { amount: 2 ** 53 }, 'too large'],
    ['an unknown currency', { currencyCode: 'EURO' }, 'EUR'],
    ['an unknown payment type', { paymentType: 'GIFT' }, 'ECOMMERCE'],
    ['metadata of a list', { metadata: { a: [] } }, 'metadata.a'],
    ['a nested unknown field', { processor: { name: 'A', nmae: 'B' } }, 'did you mean \\"name\\"'],
    ['text for an object', { order: 'A-9' }, 'must be an object'],
  ])('%s', async (_, change, says) => {
    const result = await push(['--json'], { ...RECORD, ...change })
    expect(result).toMatchObject({ exitCode: 2, stdout: '', requests: [] })
    expect(result.stderr).toContain(says)
  })

  test('all missing fields, in one error', async () => {
    const result = await bench.runPay('observability push --json', service)
    expect(result).toMatchObject({ exitCode: 2, requests: [] })
    for (const flag of ['payment-id', 'currency', 'processor', 'amount', 'created-at', 'order-id'])
      expect(result.stderr).toContain(`--${flag}`)
  })
})

describe('createdAt in an update', () => {
  const update = (...words: readonly string[]) =>
    bench.runPay(['--sandbox', 'obs', 'update', 'ext-1', ...words, '--json'])
  beforeEach(() => bench.runPay(`--sandbox obs push ${FLAGS}`))

  test.each([
    ['--created-at', '2026-01-31T09:30:00Z'],
    ['--created-at', '2026-01-31T10:30:00+01:00'],
    ['--data', '{"createdAt":"2026-01-31T09:30:00.000Z"}'],
    ['--set', 'createdAt=2026-01-31T10:30:00+01:00'],
  ])('is accepted if it is the same instant: %s %s', async (flag, value) => {
    const result = await update(flag, value, '--amount', '1')
    expect(result.exitCode).toBe(0)
    expect(JSON.parse(result.stdout)).toMatchObject({ createdAt: RECORD.createdAt, amount: 1 })
  })

  test.each([
    ['--created-at', '2026-01-31T09:30:01Z'],
    ['--data', '{"createdAt":"2026-01-30T09:30:00Z"}'],
  ])('is refused if it is another instant: %s %s', async (flag, value) => {
    const result = await update(flag, value)
    expect(result).toMatchObject({ exitCode: 3, stdout: '' })
    expect(result.stderr).toContain('cannot be changed')
    expect(result.stderr).not.toContain('known field')
  })
})

describe('metadata in an update', () => {
  const update = (metadata: unknown) =>
    bench.runPay(['--sandbox', 'obs', 'update', 'ext-1', '--data', JSON.stringify({ metadata }), '--json'])
  beforeEach(() => bench.runPay(`--sandbox obs push ${FLAGS}`))

  test('is text and whole numbers', async () => {
    const metadata = { shop: 'north', till: 4 }
    expect(JSON.parse((await update(metadata)).stdout)).toMatchObject({ metadata })
  })

  test.each([{ open: true }, { lines: [] }, { rate: 1.5 }, { a: null }])(
    'is refused before anything is sent: %j',
    async (metadata) => {
      const result = await update(metadata)
      expect(result).toMatchObject({ exitCode: 2, stdout: '', requests: [] })
      expect(result.stderr).toContain(`metadata.${Object.keys(metadata)[0]}`)
    },
  )
})

test.each([
  ['XQ', 'is not a known value (give an ISO 3166-1 code such as DE); it is sent unchanged'],
  ['de', 'did you mean DE?'],
])('an unknown country %s is a warning and is sent', async (countryCode, says) => {
  const result = await push([], { ...RECORD, order: { id: 'A-9', countryCode } })
  expect(result).toMatchObject({ exitCode: 0, requests: [{}] })
  expect(result.stderr).toContain(says)
})

test('--status-reason sets the reason of a status', async () => {
  const reason =
    'type=ISSUER_DECLINED,declineType=SOFT_DECLINE,code=INSUFFICIENT_FUNDS,message=No money\\, sorry'
  const pushed = await push(['--status', 'DECLINED', '--status-reason', reason])
  const statusReason = {
    type: 'ISSUER_DECLINED',
    declineType: 'SOFT_DECLINE',
    code: 'INSUFFICIENT_FUNDS',
    message: 'No money, sorry',
  }
  expect(JSON.parse(pushed.requests[0]?.body ?? '')).toMatchObject({ status: 'DECLINED', statusReason })
  const updated = await bench.runPay(['obs', 'update', 'ext-1', '--status-reason', 'code=DO_NOT_HONOR'], {
    env: SERVICE_ENV,
    service: () => jsonAnswer(200, { paymentId: 'ext-1' }),
  })
  expect(updated.requests[0]?.body).toBe('{"statusReason":{"code":"DO_NOT_HONOR"}}')
})

test('known values are accepted in any case and sent in the case of the API', async () => {
  const result = await push(['--status', 'settled', '--payment-type', 'Moto'])
  expect(result).toMatchObject({ exitCode: 0 })
  expect(JSON.parse(result.requests[0]?.body ?? '')).toMatchObject({ status: 'SETTLED', paymentType: 'MOTO' })
})

test('an unknown status is a warning and is sent', async () => {
  const result = await push(['--status', 'SETTELED'])
  expect(result).toMatchObject({ exitCode: 0, stderr: expect.stringContaining('did you mean SETTLED?') })
  expect(JSON.parse(result.requests[0]?.body ?? '')).toMatchObject({ status: 'SETTELED' })
})

test('an amount of zero is accepted', async () => {
  expect(await push(['--amount', '0'])).toMatchObject({ exitCode: 0 })
})
