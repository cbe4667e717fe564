import { planOf } from './plan.ts'
import type { Plan } from './plan.ts'
import type { Random } from './random.ts'
import { prepare, textAt } from './prepare.ts'
import type { Service } from './service.ts'

/** Payments or other resources at the service, and the operations that commands perform on them. */
export interface Workload {
  readonly next: (random: Random) => Plan
  /** What another client does to the same payment without pay; often just what a command does. */
  readonly byOtherClient?: (random: Random) => Plan
}

const AUTHORIZED = { orderId: 'paid', currencyCode: 'EUR', amount: 1000 }

const createPayment = async (service: Service, paymentMethodToken: string, more = {}): Promise<string> =>
  textAt(await prepare(service, 'POST', '/payments', { ...AUTHORIZED, paymentMethodToken, ...more }), 'id')

/** Few and large: two commands often use the same one, and together they soon exceed the payment. */
const AMOUNTS = [100, 300, 500] as const
/** Only another client moves this amount. */
const OTHER_CLIENT_AMOUNT = 7

const refundOf = (random: Random, id: string): Plan => {
  const amount = random.chance(0.2) ? {} : { amount: random.pick(AMOUNTS) }
  const reason = random.chance(0.2) ? { reason: random.pick(['late', 'broken']) } : {}
  const body = { ...amount, ...reason }
  return planOf('payment.refund', { id }, Object.keys(body).length === 0 ? undefined : body)
}

const captureOf = (random: Random, id: string): Plan => {
  const amount = random.chance(0.2) ? {} : { amount: random.pick(AMOUNTS) }
  const final = random.chance(0.7) ? { final: false } : {}
  const body = { ...amount, ...final }
  return planOf('payment.capture', { id }, Object.keys(body).length === 0 ? undefined : body)
}

const cancelOf = (id: string): Plan => planOf('payment.cancel', { id })
const adjustOf = (random: Random, id: string): Plan =>
  planOf('payment.adjust', { id }, { amount: random.pick([800, 1200, 1500]) })

async function refunds(service: Service, random: Random): Promise<Workload> {
  const token = random.weighted([
    [6, 'tok_visa'],
    [1, 'tok_refund_fails'],
    [1, 'tok_async'],
  ])
  const id = await createPayment(service, token)
  await prepare(service, 'POST', `/payments/${id}/capture`)
  return {
    next: (draw) => refundOf(draw, id),
    byOtherClient: (draw) =>
      draw.chance(0.6)
        ? refundOf(draw, id)
        : planOf('payment.refund', { id }, { amount: OTHER_CLIENT_AMOUNT }),
  }
}

async function captures(service: Service, random: Random): Promise<Workload> {
  const id = await createPayment(
    service,
    random.weighted([
      [6, 'tok_visa'],
      [1, 'tok_async'],
      [1, 'tok_nopartial'],
    ]),
  )
  return {
    next: (draw) =>
      draw.weighted([
        [5, captureOf(draw, id)],
        [1, cancelOf(id)],
        [2, refundOf(draw, id)],
      ]),
    byOtherClient: (draw) =>
      draw.weighted([
        [2, planOf('payment.capture', { id }, { amount: OTHER_CLIENT_AMOUNT, final: false })],
        [3, captureOf(draw, id)],
        [1, refundOf(draw, id)],
        [2, cancelOf(id)],
      ]),
  }
}

async function adjustments(service: Service): Promise<Workload> {
  const id = await createPayment(service, 'tok_visa', { paymentMethod: { authorizationType: 'ESTIMATED' } })
  return {
    next: (draw) =>
      draw.weighted([
        [6, adjustOf(draw, id)],
        [1, cancelOf(id)],
        [1, captureOf(draw, id)],
      ]),
    byOtherClient: (draw) =>
      draw.weighted([
        [1, planOf('payment.adjust', { id }, { amount: 1000 + OTHER_CLIENT_AMOUNT })],
        [2, adjustOf(draw, id)],
      ]),
  }
}

async function challenges(service: Service, random: Random): Promise<Workload> {
  const payment = await prepare(service, 'POST', '/payments', {
    ...AUTHORIZED,
    paymentMethodToken: 'tok_3ds',
  })
  const id = textAt(payment, 'id')
  const outcome = random.pick<'pass' | 'fail' | 'open'>(['pass', 'pass', 'fail', 'open'])
  const clientToken = textAt(payment, 'requiredAction', 'clientToken')
  const resumeToken = outcome === 'open' ? clientToken : service.challenge(clientToken, outcome)
  return {
    next: (draw) =>
      draw.weighted([
        [6, planOf('payment.resume', { id }, { resumeToken })],
        [1, cancelOf(id)],
        [1, captureOf(draw, id)],
      ]),
    byOtherClient: () => cancelOf(id),
  }
}

async function authorizations(service: Service, random: Random): Promise<Workload> {
  const id = await createPayment(service, random.pick(['tok_declined', 'tok_hard_declined', 'tok_failed']))
  return {
    next: (draw) =>
      draw.weighted([
        [
          4,
          planOf(
            'payment.authorize',
            { id },
            { processor: { processorMerchantId: draw.pick(['alpha-1', 'beta-1']) } },
          ),
        ],
        [1, captureOf(draw, id)],
        [1, cancelOf(id)],
      ]),
  }
}

async function orders(service: Service): Promise<Workload> {
  const session = await prepare(service, 'POST', '/client-session', { ...AUTHORIZED, orderId: 'of-session' })
  const single = service.tokenize('4111111111111111', textAt(session, 'clientToken'))
  return {
    next: (draw) =>
      draw.chance(0.15)
        ? planOf('payment.create', {}, { paymentMethodToken: single })
        : planOf(
            'payment.create',
            {},
            {
              paymentMethodToken: draw.weighted([
                [5, 'tok_visa'],
                [1, 'tok_declined'],
                [1, 'tok_failed'],
                [1, 'tok_3ds'],
              ]),
              orderId: draw.pick(['order-1', 'order-2']),
              currencyCode: 'EUR',
              amount: draw.pick([1000, 2000]),
            },
          ),
  }
}

async function sessions(service: Service): Promise<Workload> {
  const clientToken = textAt(await prepare(service, 'POST', '/client-session', AUTHORIZED), 'clientToken')
  return {
    next: (draw) =>
      draw.weighted([
        [3, planOf('session.update', {}, { clientToken, orderId: draw.pick(['order-1', 'order-2']) })],
        [1, planOf('session.create', {}, { orderId: 'order-1' })],
      ]),
  }
}

async function records(): Promise<Workload> {
  return {
    next: (draw) => {
      const paymentId = draw.pick(['rec-1', 'rec-2'])
      const amount = draw.pick(AMOUNTS)
      const isUpdate = draw.chance(0.4)
      return isUpdate
        ? planOf('observability.update', { paymentId }, { amount })
        : planOf(
            'observability.push',
            {},
            {
              paymentId,
              currencyCode: 'EUR',
              processor: { name: 'ELSEWHERE' },
              amount,
              createdAt: '2026-01-31T09:30:00Z',
              order: { id: 'order-1' },
              paymentMethod: { paymentMethodType: 'PAYMENT_CARD' },
            },
          )
    },
  }
}

async function points(): Promise<Workload> {
  return {
    next: (draw) =>
      planOf(
        'loyalty.create',
        {},
        {
          connectionId: 'points-1',
          customerId: 'customer-1',
          orderId: draw.pick(['order-1', 'order-2']),
          value: draw.pick([10, 20, 50_000]),
        },
      ),
  }
}

async function methods(service: Service): Promise<Workload> {
  const vault = (customerId: string) =>
    prepare(service, 'POST', '/payment-instruments/tok_visa/vault', { customerId })
  const paymentMethodToken = textAt(await vault('customer-1'), 'token')
  return {
    next: (draw) =>
      draw.weighted([
        [3, planOf('instrument.default', { paymentMethodToken })],
        [3, planOf('instrument.delete', { paymentMethodToken })],
        [2, planOf('instrument.vault', { paymentMethodToken }, { customerId: 'customer-1' })],
      ]),
  }
}

/** Weighted by how much money a mistake could cost. */
export const WORKLOADS = [
  [5, refunds],
  [3, captures],
  [3, adjustments],
  [2, challenges],
  [1, authorizations],
  [3, orders],
  [1, sessions],
  [1, records],
  [1, points],
  [1, methods],
] as const
