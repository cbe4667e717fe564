import { findRoute } from '../../src/api/table.ts'
import type { OPERATIONS } from '../../src/api/table.ts'
import type { HttpResponse, HttpRequest } from '../../src/client/http/transport-port.ts'

export type WriteId = Exclude<(typeof OPERATIONS)[number], { readonly risk: 'read' }>['id']

/** The decision of the payment processor. Ignored by operations that it has no part in. */
export type Decision = 'approved' | 'declined' | 'gateway-timeout'

type Fields = Record<string, unknown>
interface World {
  readonly decision: Decision
  readonly payment: Fields & { readonly processor: { amountCaptured: number; amountRefunded: number } }
  readonly created: Map<string, Fields>
  readonly keys: Map<string, string>
  readonly records: Map<string, Fields>
  readonly session: Fields
  readonly method: Fields
  isMethodThere: boolean
  readonly effects: string[]
}

export const PAYMENT_ID = 'pay-1'
export const METHOD_TOKEN = 'saved-1'

/** The payment's status before the call. */
const STATUS_BEFORE: Partial<Record<WriteId, string>> = {
  'payment.authorize': 'PENDING',
  'payment.resume': 'PENDING',
  'payment.refund': 'SETTLED',
}

export interface SimulatedService {
  readonly handle: (request: HttpRequest) => HttpResponse
  /** The operation id of each change. */
  readonly effects: readonly string[]
  /** The payment, which a test may change as another client would. */
  readonly payment: Fields
  readonly records: Map<string, Fields>
}

/** A minimal service that performs writes and counts its changes. It shares no code with the client or the sandbox. */
export function simulateService(operation: WriteId, decision: Decision = 'approved'): SimulatedService {
  const status = STATUS_BEFORE[operation] ?? 'AUTHORIZED'
  const world: World = {
    decision,
    payment: {
      id: PAYMENT_ID,
      status,
      amount: 1_000,
      currencyCode: 'EUR',
      processor: { amountCaptured: status === 'SETTLED' ? 1_000 : 0, amountRefunded: 0 },
      transactions: [],
    },
    created: new Map(),
    keys: new Map(),
    records: new Map(),
    session: { orderId: 'before' },
    method: { token: METHOD_TOKEN, default: false },
    isMethodThere: true,
    effects: [],
  }
  return {
    handle: (request) => handle(world, request),
    effects: world.effects,
    payment: world.payment,
    records: world.records,
  }
}

function handle(world: World, request: HttpRequest): HttpResponse {
  const url = new URL(request.url)
  const { match } = findRoute(request.method, url.pathname)
  if (match === undefined) return refusal(404, 'NotFound')
  const { id } = match.operation
  const body: Fields = request.body === undefined ? {} : JSON.parse(request.body)
  if (id === 'payment.get') {
    const payment =
      match.params['id'] === PAYMENT_ID ? world.payment : world.created.get(match.params['id'] ?? '')
    return payment === undefined ? refusal(400, 'PaymentError') : json(200, payment)
  }
  if (match.operation.risk === 'read') return json(200, { data: [] })
  const key = request.headers['x-idempotency-key']
  const used = key === undefined ? undefined : world.keys.get(key)
  if (used !== undefined)
    return refusal(409, 'IdempotencyKeyAlreadyExists', {
      paymentId: used,
      paymentStatus: (world.created.get(used) ?? world.payment)['status'],
    })
  const answer = WRITES[match.operation.id](world, body)
  const made: unknown = JSON.parse(answer.body)
  if (key !== undefined && answer.status === 200 && isFields(made)) world.keys.set(key, String(made['id']))
  return answer
}

const WRITES: Readonly<Record<WriteId, (world: World, body: Fields) => HttpResponse>> = {
  'session.create': (world, body) => {
    world.effects.push('session.create')
    return json(200, { clientToken: 'client-1', ...body })
  },
  'session.update': (world, body) => {
    change(world, 'session.update', world.session, body)
    return json(200, world.session)
  },
  'payment.create': (world, body) => {
    const payment: Fields = { id: 'made-1', ...body, ...decided(world, 'AUTHORIZED') }
    world.created.set('made-1', payment)
    count(world, 'payment.create')
    return json(200, payment)
  },
  'payment.authorize': (world) => {
    if (world.payment['status'] !== 'PENDING') return refusal(400, 'PaymentAlreadyAuthorized')
    return settleAs(world, 'payment.authorize', 'AUTHORIZED')
  },
  'payment.capture': (world, body) => {
    if (world.payment['status'] !== 'AUTHORIZED') return refusal(400, 'InvalidPaymentStatus')
    if (world.decision === 'approved')
      world.payment.processor.amountCaptured += Number(body['amount'] ?? 1_000)
    return settleAs(world, 'payment.capture', 'SETTLED')
  },
  'payment.refund': (world, body) => {
    const amount = Number(body['amount'] ?? 1_000)
    const { status, statusReason } = decided(world, 'SETTLED')
    const transactions = Array.isArray(world.payment['transactions']) ? world.payment['transactions'] : []
    world.payment['transactions'] = [
      ...transactions,
      {
        transactionType: 'REFUND',
        amount,
        processorStatus: status === 'DECLINED' ? 'FAILED' : status,
        processorStatusReason: statusReason,
      },
    ]
    if (world.decision === 'approved') world.payment.processor.amountRefunded += amount
    count(world, 'payment.refund')
    return json(200, world.payment)
  },
  'payment.adjust': (world, body) => {
    if (world.payment['status'] !== 'AUTHORIZED') return refusal(400, 'PaymentIsNotAuthorizedYet')
    change(world, 'payment.adjust', world.payment, { amount: body['amount'] })
    return json(200, world.payment)
  },
  'payment.resume': (world) => {
    if (world.payment['status'] !== 'PENDING') return refusal(400, 'InvalidPaymentStatus')
    return settleAs(world, 'payment.resume', 'AUTHORIZED')
  },
  'payment.cancel': (world) => {
    if (world.payment['status'] === 'CANCELLED') return refusal(400, 'InvalidPaymentStatus')
    change(world, 'payment.cancel', world.payment, { status: 'CANCELLED' })
    return json(200, world.payment)
  },
  'observability.push': (world, body) => {
    const id = String(body['paymentId'])
    if (world.records.has(id)) return refusal(409, 'EntityAlreadyExists')
    world.records.set(id, { ...body })
    world.effects.push('observability.push')
    return json(200, body)
  },
  'observability.update': (world, body) => {
    const record = world.records.get('rec-1')
    if (record === undefined) return refusal(404, 'EntityNotFound')
    change(world, 'observability.update', record, body)
    return json(200, record)
  },
  'loyalty.create': (world, body) => {
    world.effects.push('loyalty.create')
    return json(200, { id: 'loyal-1', ...body })
  },
  'instrument.default': (world) => changeMethod(world, 'instrument.default', { default: true }),
  'instrument.delete': (world) => {
    const answer = changeMethod(world, 'instrument.delete', { deleted: true })
    world.isMethodThere = false
    return answer
  },
  'instrument.vault': (world) => changeMethod(world, 'instrument.vault', { isVaulted: true }),
}

function changeMethod(world: World, operation: string, fields: Fields): HttpResponse {
  if (!world.isMethodThere) return refusal(400, 'InvalidPaymentInstrumentToken')
  change(world, operation, world.method, fields)
  return json(200, world.method)
}

function settleAs(world: World, operation: string, status: string): HttpResponse {
  Object.assign(world.payment, decided(world, status))
  count(world, operation)
  return json(200, world.payment)
}

/** Counts an effect: approved and timed-out operations moved money; declined ones did not. */
function count(world: World, operation: string): void {
  if (world.decision !== 'declined') world.effects.push(operation)
}

function decided({ decision }: World, approved: string): Fields {
  if (decision === 'approved') return { status: approved }
  if (decision === 'declined') return { status: 'DECLINED', statusReason: { type: 'ISSUER_DECLINED' } }
  return { status: 'FAILED', statusReason: { type: 'GATEWAY_TIMEOUT' } }
}

function change({ effects }: World, operation: string, thing: Fields, fields: Fields): void {
  const before = JSON.stringify(thing)
  Object.assign(thing, fields)
  if (JSON.stringify(thing) !== before) effects.push(operation)
}

export const json = (status: number, body: unknown): HttpResponse => ({
  status,
  headers: { 'content-type': 'application/json', 'x-request-id': 'request-1' },
  body: JSON.stringify(body),
})

export const refusal = (status: number, errorId: string, more: Fields = {}): HttpResponse =>
  json(status, { error: { errorId, description: `because of ${errorId}`, diagnosticsId: 'diag-1', ...more } })

const isFields = (value: unknown): value is Fields => typeof value === 'object' && value !== null
