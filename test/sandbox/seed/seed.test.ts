import { expect, test } from 'vitest'
import { seedHistory } from '../../../src/sandbox/seed/seed.ts'
import {
  at,
  createPayment,
  newFolder,
  NOW,
  openService,
  textAt,
  addFault,
  faultsIn,
  loggedIn,
} from '../service.ts'
import type { Json, Service } from '../service.ts'

const OPTIONS = { payments: 200, days: 30, seed: 7, stop: new AbortController().signal }

/** A shop on a machine with its own random numbers. */
async function shop(options: Partial<typeof OPTIONS> = {}, random = 1): Promise<Service> {
  const service = await openService(newFolder(), random)
  await seedHistory(service.sandbox.write, { ...OPTIONS, ...options })
  return service
}

/** Newest first, in full. */
async function paymentsOf(service: Service): Promise<readonly Json[]> {
  const ids: string[] = []
  for (let cursor: unknown = ''; typeof cursor === 'string';) {
    const page = await service.ok('GET', `/payments?limit=100${cursor === '' ? '' : `&cursor=${cursor}`}`)
    if (Array.isArray(page['data'])) ids.push(...page['data'].map((row) => textAt(row, 'id')))
    cursor = page['nextCursor']
  }
  return Promise.all(ids.map((id) => service.ok('GET', `/payments/${id}`)))
}

const valuesOf = (rows: readonly unknown[], ...path: readonly (string | number)[]) =>
  new Set(rows.map((row) => at(row, ...path)))

const transactionsOf = (payment: Json): readonly unknown[] => {
  const { transactions } = payment
  return Array.isArray(transactions) ? transactions : []
}

let made: Promise<readonly Json[]> | undefined
/** The 200 payments of the usual seed. */
const usual = () => (made ??= shop().then(paymentsOf))

test('the same seed and clock give the same payments, byte for byte, on every machine', async () => {
  const [one, other] = [await usual(), await paymentsOf(await shop({}, 2))]
  expect(one).toHaveLength(200)
  expect(JSON.stringify(other)).toBe(JSON.stringify(one))
})

test('another seed gives other payments', async () => {
  const ids = valuesOf(await paymentsOf(await shop({ payments: 20 })), 'id')
  const others = await paymentsOf(await shop({ payments: 20, seed: 8 }))
  expect(others.filter(({ id }) => ids.has(id))).toEqual([])
})

test('everything happens in the days before the clock, in order', async () => {
  const payments = await paymentsOf(await shop({ payments: 60, days: 3 }))
  const [first, last] = [new Date(NOW.getTime() - 3 * 86_400_000), NOW].map((date) =>
    date.toISOString().slice(0, 23),
  )
  for (const payment of payments) {
    const times = [payment, ...transactionsOf(payment)].map((each) => textAt(each, 'date'))
    expect(times).toEqual(times.toSorted())
    expect(times.every((time) => time >= (first ?? '') && time <= `${last ?? ''}999`)).toBe(true)
  }
})

const KINDS = [
  ['status', ['AUTHORIZED', 'PARTIALLY_SETTLED', 'SETTLED', 'CANCELLED', 'DECLINED', 'FAILED', 'PENDING']],
  ['currencyCode', ['EUR', 'USD', 'GBP', 'JPY']],
  ['paymentMethod.paymentMethodType', ['PAYMENT_CARD', 'PAYPAL', 'GOOGLE_PAY', 'KLARNA', 'IDEAL']],
  [
    'statusReason.code',
    ['INSUFFICIENT_FUNDS', 'LOST_OR_STOLEN_CARD', 'SUSPECTED_FRAUD', 'AUTHENTICATION_REQUIRED', 'ERROR'],
  ],
  ['paymentMethod.threeDSecureAuthentication.responseCode', ['AUTH_SUCCESS', 'AUTH_FAILED', 'CHALLENGE']],
  ['requiredAction.name', ['3DS_AUTHENTICATION']],
] as const

test('200 payments are of every kind, by customers with e-mails who come again', async () => {
  const payments = await usual()
  for (const [path, values] of KINDS)
    expect.soft([...valuesOf(payments, ...path.split('.'))]).toEqual(expect.arrayContaining([...values]))
  const refunds = payments
    .flatMap(transactionsOf)
    .filter((transaction) => at(transaction, 'transactionType') === 'REFUND')
  expect(valuesOf(refunds, 'processorStatus')).toEqual(new Set(['SETTLED', 'FAILED']))
  const emails = payments.map((payment) => textAt(payment, 'customer', 'emailAddress'))
  expect(emails.filter((email) => !email.endsWith('@example.com'))).toEqual([])
  expect(new Set(emails).size).toBeLessThan(100)
  expect(
    payments.filter((payment) => at(payment, 'paymentMethod', 'isVaulted') === true).length,
  ).toBeGreaterThan(3)
  const paidTwice = payments.filter((payment, index) =>
    (['customer', 'order'] as const).every(
      (name) => JSON.stringify(payment[name]) === JSON.stringify(payments[index + 1]?.[name]),
    ),
  )
  expect(paidTwice.length).toBeGreaterThan(2)
})

test('many payments take several commits', async () => {
  expect(await paymentsOf(await shop({ payments: 201 }))).toHaveLength(201)
})

test('a store that has payments is refused and stays as it is', async () => {
  const service = await openService()
  const { id } = await createPayment(service, 'tok_visa')
  await expect(seedHistory(service.sandbox.write, OPTIONS)).rejects.toMatchObject({
    code: 'sandbox_not_empty',
    exitCode: 6,
  })
  expect(valuesOf(await paymentsOf(service), 'id')).toEqual(new Set([id]))
})

test('two histories never mix', async () => {
  const { sandbox } = await openService()
  let parts = 0
  const heldUp: typeof sandbox.write = async (work) => {
    const done = await sandbox.write(work)
    parts += 1
    if (parts === 1) await seedHistory(sandbox.write, { ...OPTIONS, payments: 120, isReset: true })
    return done
  }
  await expect(seedHistory(heldUp, OPTIONS)).rejects.toMatchObject({ code: 'sandbox_emptied', exitCode: 6 })
  expect(await sandbox.read(({ store }) => store.records.list({}, undefined, 200).length)).toBe(120)
})

test('what arrives after a reset is deleted too', async () => {
  const service = await openService()
  await createPayment(service, 'tok_visa')
  await seedHistory(service.sandbox.write, { ...OPTIONS, payments: 5, isReset: true })
  expect(await paymentsOf(service)).toHaveLength(5)
})

test('faults and the log belong to clients', async () => {
  const { sandbox } = await openService()
  const fault = { on: 'POST /payments', do: 'status=503', skip: 0, rate: 1, seed: 1 } as const
  await addFault({ sandbox }, fault)
  await seedHistory(sandbox.write, { ...OPTIONS, payments: 10 })
  expect(await faultsIn({ sandbox })).toMatchObject([{ matched: 0 }])
  expect(await loggedIn({ sandbox }, 10)).toEqual([])
})

test('an interruption ends it between two commits', async () => {
  const stopped = AbortSignal.abort()
  const service = await openService()
  await expect(seedHistory(service.sandbox.write, { ...OPTIONS, stop: stopped })).rejects.toMatchObject({
    exitCode: 130,
  })
  expect(await paymentsOf(service)).toEqual([])
})
