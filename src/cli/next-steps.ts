import type { PayError } from '../errors.ts'
import type { Invocation } from './invocation.ts'
import { selectorOf } from './selector.ts'

interface Advice {
  readonly hint?: string
  readonly next?: readonly string[]
}

/** What the person at the terminal does next, where the error itself does not say. */
export async function adviceFor(error: PayError, invocation: Invocation): Promise<Advice> {
  const id = plainId(error.details.paymentId) ?? plainId(invocation.target.id)
  const selector = selectorOf(invocation)
  const look = id === undefined ? [] : [`pay${selector} payment get ${id}`]
  switch (error.code) {
    case 'outcome_unknown':
      return afterDoubt(error, look)
    case 'unauthorized': {
      const { profile } = await invocation.account()
      return profile === undefined
        ? { hint: 'Check PAY_API_KEY and PAY_BASE_URL', next: ['pay whoami'] }
        : { next: [`pay profile set ${profile.value} --api-key-stdin`, `pay${selector} whoami`] }
    }
    case 'forbidden':
      return { hint: 'The key needs another scope: the service names it above' }
    case 'not_connected':
      return {
        hint: 'Check the base URL, the network and the proxy settings',
        next: [`pay${selector} whoami`],
      }
    case 'payment_not_found':
      return { next: [`pay${selector} payment list`] }
    case 'invalid_status':
    case 'capture_exceeds_remaining':
    case 'refund_exceeds_remaining':
    case 'already_done':
    case 'idempotency_key_used':
    case 'already_refunded':
    case 'already_authorized':
    case 'not_authorized_yet':
    case 'not_estimated':
      return { next: look }
    case 'saved_method_not_found':
      return { next: [`pay${selector} instrument list --customer-id CUSTOMER`] }
    case 'rate_limited':
      return { hint: 'Wait a while; nothing was done' }
    default:
      return {}
  }
}

/** What clears a doubt up hangs on the operation: the same again, asking the service, or nobody but a person. */
async function afterDoubt(error: PayError, look: readonly string[]): Promise<Advice> {
  const { OPERATIONS } = await import('../api/table.ts')
  const { operation, operationId } = error.details
  const row = OPERATIONS.find(({ id }) => id === operation)
  switch (row?.replay) {
    case 'safe':
      return {
        hint: 'It may have been done. Type the same again: that is harmless, ends in the same, and clears this up.',
        next: look,
      }
    case 'keyed':
    case 'compare':
    case 'look':
      return {
        hint: 'It may have been done. Do not do it again by hand: pay ops resolve finds out, and never does it twice.',
        next: [...resolveOf(error), ...look],
      }
    case 'never':
    case undefined:
      return {
        hint: `It may have been done, and the service cannot be asked about it: ${
          row?.risk === 'write'
            ? 'at worst something was made that nobody uses'
            : "look where it would show, such as the provider's own records"
        }. Then pay ops abandon ends it here.`,
        next: [...(operationId === undefined ? [] : [`pay ops show ${operationId}`]), ...look],
      }
  }
}

const resolveOf = ({ details: { operationId } }: PayError): readonly string[] =>
  operationId === undefined ? [] : [`pay ops resolve ${operationId}`]

/** The id, where it is harmless in a shell line. */
function plainId(id: string | undefined): string | undefined {
  return id !== undefined && /^[\w.-]{1,64}$/.test(id) ? id : undefined
}
