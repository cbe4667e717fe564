import { expect, test } from 'vitest'
import { GROUPINGS } from '../../../src/views/insights/insights.ts'
import { filterOf, paymentsAddress } from '../../../src/pages/dashboard/insights/payment-links.ts'
import { SERVICE_ENV } from '../../support/error-envelope.ts'
import { useBench } from '../../support/use-bench.ts'
import { at, createPayment, openService, textAt, advance } from '../service.ts'
import type { Json, Service } from '../service.ts'
import { control } from './call-control.ts'
import { computeFigures, fillWithPayments } from './payments-to-count.ts'

const bench = useBench()

const insights = async (service: Service, query: string): Promise<Json> =>
  (await control(service, 'GET', `/sandbox/insights?${query}`)).body

const groupsIn = (body: Json): readonly Json[] => {
  const { groups } = body
  return Array.isArray(groups) ? groups : []
}

async function inTerminal(service: Service, line: string): Promise<unknown> {
  const { stdout, stderr, exitCode } = await bench.runPay(`insights --json ${line}`, {
    env: SERVICE_ENV,
    service: (request) =>
      service.sandbox.handle({
        ...request,
        url: request.url.replace(SERVICE_ENV.PAY_BASE_URL, ''),
        headers: { ...request.headers, 'x-api-key': 'sandbox_all' },
      }),
  })
  expect([exitCode, stderr]).toEqual([0, ''])
  return JSON.parse(stdout)
}

test('the figures of every grouping are those of `pay insights`, and of a second computation', async () => {
  const service = await openService()
  const payments = await fillWithPayments(service)
  const key = ({ key: name, currencyCode }: Json) => `${String(currencyCode)} ${String(name)}`
  for (const by of GROUPINGS) {
    const shown = await insights(service, `by=${by}`)
    expect(shown, by).toEqual(await inTerminal(service, `--by ${by}`))
    expect(
      groupsIn(shown).toSorted((one, other) => (key(one) < key(other) ? -1 : 1)),
      by,
    ).toEqual(computeFigures(payments, by).toSorted((one, other) => (key(one) < key(other) ? -1 : 1)))
  }
  for (const [query, by] of [
    ['from=2026-01-02&to=2026-01-03', 'day'],
    ['from=2026-01-02T00:00:00Z&to=2026-01-03T23:59:59.999Z', 'hour'],
    ['currency=USD', 'processor'],
    ['from=2026-01-03&currency=EUR', 'status'],
  ] as const) {
    const flags = query.replaceAll('&', ' --').replaceAll('=', ' ')
    const shown = await insights(service, `${query}&by=${by}`)
    expect(shown, query).toEqual(await inTerminal(service, `--${flags} --by ${by}`))
    expect(groupsIn(shown).length, query).toBeGreaterThan(0)
  }
})

test('the payments behind each count of every grouping are that many', async () => {
  const service = await openService()
  await fillWithPayments(service)
  for (const [by, period] of GROUPINGS.flatMap((each) =>
    ['', 'from=2026-01-02&to=2026-01-03'].map((some) => [each, some] as const),
  )) {
    const shown = await insights(service, `by=${by}&${period}`)
    const window = { from: textOrNull(shown['from']), to: textOrNull(shown['to']) }
    for (const group of groupsIn(shown)) {
      const [name, currencyCode] = [textOrNull(group['key']), textAt(group, 'currencyCode')]
      for (const [figure, status] of [['count'], ['declined', 'DECLINED'], ['failed', 'FAILED']] as const) {
        const address = paymentsAddress(window, currencyCode, {
          ...filterOf(by, name, window),
          ...(status === undefined || by === 'status' ? {} : { status }),
        })
        if (group[figure] === 0) continue
        const { body } = await control(
          service,
          'GET',
          address.replace('/dashboard/payments', '/sandbox/records'),
        )
        expect([address, body['total']]).toEqual([address, group[figure]])
      }
    }
  }
})

const textOrNull = (value: unknown): string | null => (typeof value === 'string' ? value : null)

test('a span counts back from the clock of the sandbox', async () => {
  const service = await openService()
  await createPayment(service, 'tok_visa')
  await advance(service, 3 * 3_600_000)
  await createPayment(service, 'tok_visa')
  expect(groupsIn(await insights(service, 'from=2h'))).toMatchObject([{ count: 1 }])
  expect(groupsIn(await insights(service, 'from=4h&to=2h'))).toMatchObject([{ count: 1 }])
  expect(groupsIn(await insights(service, 'from=4h'))).toMatchObject([{ count: 2 }])
})

test('figures that are asked for together are the same as alone', async () => {
  const service = await openService()
  await fillWithPayments(service)
  const queries = ['by=status', 'by=day&from=2026-01-02', 'by=method&to=2026-01-02&currency=EUR', 'by=source']
  const together = await Promise.all(queries.map((query) => insights(service, query)))
  for (const [index, query] of queries.entries())
    expect(together[index]).toEqual(await insights(service, query))
})

const importRecord = (service: Service, paymentId: string, createdAt: string, amount: number) =>
  service.ok('POST', '/observability/payments', {
    paymentId,
    createdAt,
    currencyCode: 'EUR',
    amount,
    status: 'SETTLED',
    processor: { name: 'ACME' },
    order: { id: 'o' },
    paymentMethod: { paymentMethodType: 'PAYPAL' },
  })

test('each of several periods counts its own records', async () => {
  const service = await openService()
  for (const second of [0, 1, 2])
    await importRecord(service, `e-${second}`, `2026-01-02T03:04:0${second}Z`, 5)
  const middle = '2026-01-02T03:04:01Z'
  const periods = ['', `from=${middle}`, `to=${middle}`, `from=${middle}&to=${middle}`]
  const together = await Promise.all(periods.map((period) => insights(service, `by=source&${period}`)))
  expect(together.map(groupsIn)).toMatchObject([3, 2, 2, 1].map((count) => [{ count, net: count * 5 }]))
})

test('adds up the largest amounts with every digit', async () => {
  const service = await openService()
  for (const id of ['e-1', 'e-2', 'e-3'])
    await importRecord(service, id, '2026-01-02T03:04:05Z', Number.MAX_SAFE_INTEGER)
  const { body } = await service.sandbox.handle({
    method: 'GET',
    url: '/sandbox/insights?by=source',
    headers: { 'x-api-key': 'sandbox_all' },
    body: undefined,
  })
  expect(body).toContain(`"net":${3n * BigInt(Number.MAX_SAFE_INTEGER)}`)
})

test('reads more records than fit into one slice', async () => {
  const service = await openService()
  await Promise.all(
    Array.from({ length: 1100 }, (_, number) =>
      importRecord(service, `e-${number}`, '2026-01-02T03:04:05Z', 1),
    ),
  )
  expect(groupsIn(await insights(service, 'by=source'))).toMatchObject([
    { key: 'external', count: 1100, amountCaptured: 1100 },
  ])
})

test.each([
  ['by=colour', '$.by', 'must be one of'],
  ['from=yesterday', '$.from', 'must be a time'],
  ['from=9x', '$.from', 'must be a time'],
  ['to=2026-02-31', '$.to', 'must be a time'],
  ['from=2026-02-02&to=2026-02-01', '$.from', 'must not be after to'],
  ['currency=EURO', '$.currency', 'ISO 4217'],
  ['what=x', '$.what', ''],
])('refuses %s', async (query, path, description) => {
  const service = await openService()
  const { status, body } = await control(service, 'GET', `/sandbox/insights?${query}`)
  expect(status).toBe(422)
  expect(at(body, 'error', 'validationErrors', 0, 'errors', 0)).toMatchObject({
    path,
    description: expect.stringContaining(description),
  })
})
