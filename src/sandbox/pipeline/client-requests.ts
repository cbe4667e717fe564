import { FACTS } from '../../api/facts.ts'
import type { OperationId } from '../../api/facts.ts'
import { isRecord } from '../../json/is-record.ts'
import {
  authenticateCheckout,
  notOfSession,
  ownsToken,
  paymentOfSession,
  refuseFurtherFields,
} from '../domain/checkout/checkout-access.ts'
import type { ClientSession, SandboxContext } from '../domain/context.ts'
import { Problem } from '../problem.ts'
import { readBearerToken } from '../request/api-key.ts'
import type { RawInput } from '../request/endpoint.ts'
import type { ServiceRequest } from '../request/service-request.ts'
import { admit, readRaw, admitControl } from './check-request.ts'
import type { Caller } from './check-request.ts'

interface ClientCall {
  readonly raw: RawInput
  readonly token: string
  readonly clientSession: ClientSession
  readonly context: SandboxContext
}

const ownPayment = ({ raw, clientSession, context }: ClientCall): RawInput => {
  paymentOfSession(raw.params['id'] ?? '', clientSession, context.store)
  return raw
}

/** The operations that a client token may call (spec 5.3). */
type ClientOperationId = {
  [Id in OperationId]: (typeof FACTS)[Id]['clientFields'] extends null ? never : Id
}[OperationId]

/** Completes the input with what the session implies. Throws if it is about anything but the session. */
const COMPLETE: Readonly<Record<ClientOperationId, (call: ClientCall) => RawInput>> = {
  'session.get': ({ raw, token }) => withOwn(raw, 'clientToken', token, 'session'),
  // No customer has the empty ID, so the list is empty.
  'instrument.list': ({ raw, clientSession: { session } }) =>
    withOwn(raw, 'customer_id', session.customerId ?? '', 'customer'),
  'payment.create': ({ raw, clientSession, context }) => {
    const token = isRecord(raw.body) ? raw.body['paymentMethodToken'] : undefined
    if (typeof token === 'string' && !ownsToken(token, clientSession, context.store))
      throw notOfSession('payment method token')
    return raw
  },
  'payment.get': ownPayment,
  'payment.resume': ownPayment,
}

const isForClients = (id: OperationId): id is ClientOperationId => FACTS[id].clientFields !== null

function withOwn(raw: RawInput, name: string, value: string, what: string): RawInput {
  const given = raw.query[name]
  if (given !== undefined && given !== value) throw notOfSession(what)
  return { ...raw, query: { ...raw.query, [name]: value } }
}

const notForClients = (): Problem =>
  new Problem('Forbidden', 'A client token may only pay for its own session.', {
    recoverySuggestion: 'Call this from your server, with an API key.',
  })

/** The caller whose client token the request has. Reads data, so it works inside a transaction. */
export function clientCaller(context: SandboxContext): Caller {
  const sessionOf = (request: ServiceRequest) => authenticateCheckout(readBearerToken(request), context)
  return {
    authenticate: (request) => {
      sessionOf(request)
      throw notForClients()
    },
    read: (routed, request) => {
      const clientSession = sessionOf(request)
      const { id } = routed.operation
      if (!isForClients(id)) throw notForClients()
      const { raw, ignored } = readRaw(routed, request)
      // Fields that the served version ignores.
      if (ignored.length > 0) throw notForClients()
      if (isRecord(raw.body)) refuseFurtherFields(raw.body, FACTS[id].clientFields)
      const token = readBearerToken(request)
      return { raw: COMPLETE[id]({ raw, token, clientSession, context }), ignored }
    },
    admitControl: (url, request) => {
      sessionOf(request)
      return admitControl(url, request, readBearerToken(request))
    },
    admit: (routed, raw, request) => {
      const clientSession = sessionOf(request)
      const { run, ...admitted } = admit(routed, raw, request)
      return { ...admitted, clientSession, run: (inside) => run({ ...inside, clientSession }) }
    },
  }
}
