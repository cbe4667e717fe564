import type { CallOperation } from '../../src/calls/call.ts'
import { OPERATIONS } from '../../src/api/table.ts'
import type { OperationId } from '../../src/api/table.ts'
import type { Chance } from './random.ts'
import { BASE_URL } from './service.ts'
import type { Service } from './service.ts'

/** What somebody could want done. */
export interface Plan {
  readonly operation: CallOperation
  readonly params: Readonly<Record<string, string>>
  readonly body: Readonly<Record<string, unknown>> | undefined
}

/** A few things at the service, and what can be done with them. */
export interface Scene {
  readonly next: (chance: Chance) => Plan
  /** What somebody else does, who does not ask us: never the same as ours. */
  readonly meddle?: (chance: Chance) => Plan
}

const ROWS: ReadonlyMap<string, CallOperation> = new Map(OPERATIONS.map((row) => [row.id, row]))

function plan(id: OperationId, params: Plan['params'], body?: Plan['body']): Plan {
  const operation = ROWS.get(id)
  if (operation === undefined) throw new Error(`no operation ${id}`)
  return { operation, params, body }
}

async function ask(service: Service, method: string, path: string, body?: unknown) {
  const { reply } = await service.arrive({
    method,
    url: `${BASE_URL}${path}`,
    headers: { 'x-api-key': 'sandbox_all', 'x-api-version': '2.1', 'content-type': 'application/json' },
    body: body === undefined ? undefined : JSON.stringify(body),
  })
  if (reply.status !== 200) throw new Error(`the scene cannot be set: ${reply.status} ${reply.body}`)
  const answer: unknown = JSON.parse(reply.body)
  return answer
}

function textAt(value: unknown, ...path: readonly string[]): string {
  let inner = value
  for (const name of path)
    inner =
      typeof inner === 'object' && inner !== null
        ? Object.entries(inner).find(([key]) => key === name)?.[1]
        : undefined
  if (typeof inner !== 'string') throw new Error(`no text at ${path.join('.')}`)
  return inner
}

const AUTHORIZED = { orderId: 'paid', currencyCode: 'EUR', amount: 1000 }

const pay = async (service: Service, paymentMethodToken: string, more = {}): Promise<string> =>
  textAt(await ask(service, 'POST', '/payments', { ...AUTHORIZED, paymentMethodToken, ...more }), 'id')

/** Amounts of which two are often the same, and which soon come to more than there is. */
const AMOUNTS = [100, 300, 500] as const
/** Amounts that only somebody else moves. */
const OTHER_AMOUNT = 7

const refundOf = (chance: Chance, id: string): Plan => {
  const amount = chance.happens(0.2) ? {} : { amount: chance.pick(AMOUNTS) }
  const reason = chance.happens(0.2) ? { reason: chance.pick(['late', 'broken']) } : {}
  const body = { ...amount, ...reason }
  return plan('payment.refund', { id }, Object.keys(body).length === 0 ? undefined : body)
}

const captureOf = (chance: Chance, id: string): Plan => {
  const amount = chance.happens(0.2) ? {} : { amount: chance.pick(AMOUNTS) }
  const final = chance.happens(0.7) ? { final: false } : {}
  const body = { ...amount, ...final }
  return plan('payment.capture', { id }, Object.keys(body).length === 0 ? undefined : body)
}

const cancelOf = (id: string): Plan => plan('payment.cancel', { id })
const adjustOf = (chance: Chance, id: string): Plan =>
  plan('payment.adjust', { id }, { amount: chance.pick([800, 1200, 1500]) })

async function refunds(service: Service, chance: Chance): Promise<Scene> {
  const token = chance.weigh([
    [6, 'tok_visa'],
    [1, 'tok_refund_fails'],
    [1, 'tok_async'],
  ])
  const id = await pay(service, token)
  await ask(service, 'POST', `/payments/${id}/capture`)
  return {
    next: (dice) => refundOf(dice, id),
    meddle: () => plan('payment.refund', { id }, { amount: OTHER_AMOUNT }),
  }
}

async function captures(service: Service, chance: Chance): Promise<Scene> {
  const id = await pay(
    service,
    chance.weigh([
      [6, 'tok_visa'],
      [1, 'tok_async'],
      [1, 'tok_nopartial'],
    ]),
  )
  return {
    next: (dice) =>
      dice.weigh([
        [5, captureOf(dice, id)],
        [1, cancelOf(id)],
        [2, refundOf(dice, id)],
      ]),
    meddle: (dice) =>
      dice.pick([plan('payment.capture', { id }, { amount: OTHER_AMOUNT, final: false }), cancelOf(id)]),
  }
}

async function adjustments(service: Service): Promise<Scene> {
  const id = await pay(service, 'tok_visa', { paymentMethod: { authorizationType: 'ESTIMATED' } })
  return {
    next: (dice) =>
      dice.weigh([
        [6, adjustOf(dice, id)],
        [1, cancelOf(id)],
        [1, captureOf(dice, id)],
      ]),
    meddle: () => plan('payment.adjust', { id }, { amount: 1000 + OTHER_AMOUNT }),
  }
}

async function challenges(service: Service, chance: Chance): Promise<Scene> {
  const payment = await ask(service, 'POST', '/payments', { ...AUTHORIZED, paymentMethodToken: 'tok_3ds' })
  const id = textAt(payment, 'id')
  const outcome = chance.pick<'pass' | 'fail' | 'open'>(['pass', 'pass', 'fail', 'open'])
  const clientToken = textAt(payment, 'requiredAction', 'clientToken')
  const resumeToken = outcome === 'open' ? clientToken : service.challenge(clientToken, outcome)
  return {
    next: (dice) =>
      dice.weigh([
        [6, plan('payment.resume', { id }, { resumeToken })],
        [1, cancelOf(id)],
        [1, captureOf(dice, id)],
      ]),
    meddle: () => cancelOf(id),
  }
}

async function authorizations(service: Service, chance: Chance): Promise<Scene> {
  const id = await pay(service, chance.pick(['tok_declined', 'tok_hard_declined', 'tok_failed']))
  return {
    next: (dice) =>
      dice.weigh([
        [
          4,
          plan(
            'payment.authorize',
            { id },
            { processor: { processorMerchantId: dice.pick(['alpha-1', 'beta-1']) } },
          ),
        ],
        [1, captureOf(dice, id)],
        [1, cancelOf(id)],
      ]),
  }
}

async function orders(service: Service): Promise<Scene> {
  const session = await ask(service, 'POST', '/client-session', { ...AUTHORIZED, orderId: 'of-session' })
  const single = service.tokenize('4111111111111111', textAt(session, 'clientToken'))
  return {
    next: (dice) =>
      dice.happens(0.15)
        ? plan('payment.create', {}, { paymentMethodToken: single })
        : plan(
            'payment.create',
            {},
            {
              paymentMethodToken: dice.weigh([
                [5, 'tok_visa'],
                [1, 'tok_declined'],
                [1, 'tok_failed'],
                [1, 'tok_3ds'],
              ]),
              orderId: dice.pick(['order-1', 'order-2']),
              currencyCode: 'EUR',
              amount: dice.pick([1000, 2000]),
            },
          ),
  }
}

async function sessions(service: Service): Promise<Scene> {
  const clientToken = textAt(await ask(service, 'POST', '/client-session', AUTHORIZED), 'clientToken')
  return {
    next: (dice) =>
      dice.weigh([
        [3, plan('session.update', {}, { clientToken, orderId: dice.pick(['order-1', 'order-2']) })],
        [1, plan('session.create', {}, { orderId: 'order-1' })],
      ]),
  }
}

async function records(): Promise<Scene> {
  return {
    next: (dice) => {
      const paymentId = dice.pick(['rec-1', 'rec-2'])
      const amount = dice.pick(AMOUNTS)
      const isUpdate = dice.happens(0.4)
      return isUpdate
        ? plan('observability.update', { paymentId }, { amount })
        : plan(
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

async function points(): Promise<Scene> {
  return {
    next: (dice) =>
      plan(
        'loyalty.create',
        {},
        {
          connectionId: 'points-1',
          customerId: 'customer-1',
          orderId: dice.pick(['order-1', 'order-2']),
          value: dice.pick([10, 20, 50_000]),
        },
      ),
  }
}

async function methods(service: Service): Promise<Scene> {
  const vault = (customerId: string) =>
    ask(service, 'POST', '/payment-instruments/tok_visa/vault', { customerId })
  const paymentMethodToken = textAt(await vault('customer-1'), 'token')
  return {
    next: (dice) =>
      dice.weigh([
        [3, plan('instrument.default', { paymentMethodToken })],
        [3, plan('instrument.delete', { paymentMethodToken })],
        [2, plan('instrument.vault', { paymentMethodToken }, { customerId: 'customer-1' })],
      ]),
  }
}

/** By how much money can be lost in them. */
export const SCENES = [
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
