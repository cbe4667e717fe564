import type { Grouping } from '../../../src/views/insights/insights.ts'
import { createPayment, NOW, textAt } from '../service.ts'
import type { Json, Service } from '../service.ts'

/** What the test itself knows about a payment that it made. Amounts in minor units; null if unknown. */
interface Made {
  readonly source: string
  readonly time: string
  readonly status: string
  readonly currency: string
  readonly processor: string
  readonly method: string
  readonly reason: string | null
  readonly country: string | null
  readonly authorized: boolean
  readonly amountAuthorized: number | null
  readonly amountCaptured: number | null
  readonly amountRefunded: number | null
}

const CARD = 'PAYMENT_CARD'

/** Payments of every status, in two currencies, and external records over some days, in every odd form. */
export async function fillWithPayments(service: Service): Promise<readonly Made[]> {
  const made: Made[] = []
  const time = NOW.toISOString()
  const common = {
    source: 'payments',
    time,
    currency: 'EUR',
    processor: 'SANDBOX_ALPHA',
    method: CARD,
  } as const
  const none = { reason: null, country: null, amountRefunded: 0, amountCaptured: 0 } as const
  const pay = async (token: string, more: Json = {}) =>
    textAt(await createPayment(service, token, more), 'id')

  const german = { order: { countryCode: 'DE' } }
  const settled = await pay('tok_visa', german)
  await service.ok('POST', `/payments/${settled}/capture`)
  await service.ok('POST', `/payments/${settled}/refund`, { amount: 250 })
  made.push({
    ...common,
    ...none,
    status: 'SETTLED',
    country: 'DE',
    authorized: true,
    amountAuthorized: 1000,
    amountCaptured: 1000,
    amountRefunded: 250,
  })
  const partial = await pay('tok_visa', { currencyCode: 'USD' })
  await service.ok('POST', `/payments/${partial}/capture`, { amount: 400, final: false })
  made.push({
    ...common,
    ...none,
    currency: 'USD',
    status: 'PARTIALLY_SETTLED',
    authorized: true,
    amountAuthorized: 1000,
    amountCaptured: 400,
  })
  await pay('tok_visa')
  made.push({ ...common, ...none, status: 'AUTHORIZED', authorized: true, amountAuthorized: 1000 })
  const cancelled = await pay('tok_visa')
  await service.ok('POST', `/payments/${cancelled}/cancel`)
  made.push({ ...common, ...none, status: 'CANCELLED', authorized: true, amountAuthorized: 1000 })
  const waiting = await pay('tok_3ds')
  made.push({ ...common, ...none, status: 'CANCELLED', authorized: false, amountAuthorized: 0 })
  await service.ok('POST', `/payments/${waiting}/cancel`)
  await pay('tok_3ds')
  made.push({ ...common, ...none, status: 'PENDING', authorized: false, amountAuthorized: 0 })
  await pay('tok_declined', german)
  made.push({
    ...common,
    ...none,
    status: 'DECLINED',
    reason: 'INSUFFICIENT_FUNDS',
    country: 'DE',
    authorized: false,
    amountAuthorized: 0,
  })
  await pay('tok_hard_declined')
  made.push({
    ...common,
    ...none,
    status: 'DECLINED',
    reason: 'LOST_OR_STOLEN_CARD',
    authorized: false,
    amountAuthorized: 0,
  })
  await pay('tok_failed')
  made.push({ ...common, ...none, status: 'FAILED', reason: 'ERROR', authorized: false, amountAuthorized: 0 })

  const record = async (createdAt: string, status: string | undefined, more: Partial<Made>) => {
    const {
      processor = 'ACME, Inc',
      method = 'PAYPAL',
      currency = 'EUR',
      country = null,
      reason = null,
    } = more
    await service.ok('POST', '/observability/payments', {
      paymentId: `external-${made.length}`,
      createdAt,
      currencyCode: currency,
      amount: 700,
      processor: { name: processor },
      order: { id: 'order-9', ...(country === null ? {} : { countryCode: country }) },
      paymentMethod: { paymentMethodType: method },
      ...(status === undefined ? {} : { status }),
      ...(reason === null ? {} : { statusReason: { code: reason } }),
    })
    const isCaptured = status === 'SETTLED' || status === 'SETTLING'
    const isAuthorized = isCaptured || status === 'AUTHORIZED' || status === 'CANCELLED'
    const isKnown = status !== undefined && status !== 'CANCELLED'
    made.push({
      source: 'external',
      time: createdAt,
      status: status ?? 'null',
      currency,
      processor,
      method,
      reason,
      country,
      authorized: isAuthorized,
      amountAuthorized: isKnown ? (isAuthorized ? 700 : 0) : null,
      amountCaptured: status === undefined ? null : isCaptured ? 700 : 0,
      amountRefunded: null,
    })
  }
  await record('2026-01-01T23:59:59.999999Z', 'SETTLED', {})
  await record('2026-01-02T00:00:00Z', 'SETTLING', { processor: 'ACME' })
  await record('2026-01-02T12:30:00.5Z', 'AUTHORIZED', { currency: 'USD', method: CARD })
  await record('2026-01-03T23:59:59.999Z', 'DECLINED', { country: 'FR', reason: 'DO_NOT_HONOR' })
  await record('2026-01-04T00:00:00.000Z', 'FAILED', { currency: 'JPY', processor: String.raw`back\slash` })
  await record('2026-01-04T01:00:00Z', 'CANCELLED', { method: 'KLARNA' })
  await record('2026-01-05T10:00:00Z', undefined, { currency: 'JPY' })
  return made
}

/** The figures by definition, group by group: shares nothing with the program. */
export function computeFigures(made: readonly Made[], by: Grouping): readonly Json[] {
  const keyOf = (one: Made): string | null => {
    if (by === 'day') return one.time.slice(0, 10)
    if (by === 'hour') return `${one.time.slice(0, 13)}:00Z`
    if (by === 'status') return one.status === 'null' ? null : one.status
    return one[by]
  }
  const names = [...new Set(made.map((one) => JSON.stringify([one.currency, keyOf(one)])))]
  return names.map((name) => {
    const members = made.filter((one) => JSON.stringify([one.currency, keyOf(one)]) === name)
    const count = (matches: (one: Made) => boolean) => members.filter(matches).length
    const total = (field: 'amountAuthorized' | 'amountCaptured' | 'amountRefunded') => {
      const known = members.map((one) => one[field]).filter((amount) => amount !== null)
      return known.length === 0 ? null : known.reduce((sum, amount) => sum + amount, 0)
    }
    const [authorized, declined, failed] = [
      count((one) => one.authorized),
      count((one) => one.status === 'DECLINED'),
      count((one) => one.status === 'FAILED'),
    ]
    const [captured, refunded] = [total('amountCaptured'), total('amountRefunded')]
    return {
      key: members[0] === undefined ? null : keyOf(members[0]),
      currencyCode: members[0]?.currency,
      count: members.length,
      authorized,
      declined,
      failed,
      authorizationRate:
        authorized + declined + failed === 0 ? null : authorized / (authorized + declined + failed),
      amountAuthorized: total('amountAuthorized'),
      amountCaptured: captured,
      amountRefunded: refunded,
      net: captured === null && refunded === null ? null : (captured ?? 0) - (refunded ?? 0),
    }
  })
}
