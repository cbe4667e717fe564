import { UsageError } from '../../errors.ts'
import { idFault } from '../../text/id-fault.ts'
import { isRecord } from '../../json/is-record.ts'

interface Named {
  readonly params: Readonly<Record<string, string>>
  readonly query?: Readonly<Record<string, string | readonly string[]>> | undefined
  readonly body?: unknown
}

/** Filters that name one thing each; a comma separates several. */
const FILTERS = ['order_id', 'customer_id']
/** Fields of bodies, and how people call them. */
const FIELDS = [
  'orderId',
  'customerId',
  'paymentId',
  'connectionId',
  'processorMerchantId',
  'paymentMethodToken',
  'clientToken',
  'resumeToken',
]

/**
 * Refuses an ID, an order, a customer or a token that was copied with something around it. Never repeats it.
 * @throws {UsageError} `bad_id`
 */
export function refuseBadIds({ params, query = {}, body }: Named): void {
  for (const [name, value] of Object.entries(params)) refuse(name === 'id' ? 'ID' : name, value)
  for (const name of FILTERS)
    for (const value of [query[name] ?? []].flat()) refuse(name === 'order_id' ? 'order' : 'customer', value)
  for (const [name, fault] of faultsIn(body)) refuse(name, '', fault)
}

/** The fields of a body that are no IDs, each with the end of a sentence about it. */
export function faultsIn(body: unknown): readonly (readonly [field: string, fault: string])[] {
  if (!isRecord(body)) return []
  const order = isRecord(body['order']) ? body['order'] : {}
  return [...FIELDS.map((name) => [name, body[name]] as const), ['order.id', order['id']] as const].flatMap(
    ([name, value]) => {
      const fault = typeof value === 'string' ? idFault(value) : undefined
      return fault === undefined ? [] : [[name, fault] as const]
    },
  )
}

function refuse(
  name: string,
  value: unknown,
  fault = typeof value === 'string' ? idFault(value) : undefined,
): void {
  if (fault === undefined) return
  throw new UsageError(`The ${name} ${fault}: nothing was sent`, {
    code: 'bad_id',
    outcome: 'none',
    hint: 'Give it without that character.',
  })
}

/**
 * What is wrong with an ID that has an escape: a service, or a proxy before it, may decode it once more. That would be
 * another spelling of the same target, with another key for the same ticket.
 */
export function escapeFault(id: string | undefined): string | undefined {
  const escape = /%[\da-f]{2}/i.exec(id ?? '')?.[0]
  return escape === undefined ? undefined : `contains an escape (${escape}), so a ticket can't be used for it`
}

/**
 * Refuses an ID that has an escape, as {@link escapeFault} says.
 * @throws {UsageError} `bad_id`
 */
export const refuseEscapedId = (id: string | undefined): void => refuse('ID', id, escapeFault(id))
