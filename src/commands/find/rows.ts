import { paymentSummary, transaction } from '../../api/models/payment.ts'
import type { Payment, PaymentSummary } from '../../api/models/payment.ts'
import { getPayment, listPayments } from '../../api/operations/payment.ts'
import { parseResponse } from '../../api/parse-response.ts'
import { withoutNulls } from '../../cli/command/nulls.ts'
import { fieldAt, textAt } from '../../json/fields.ts'
import { EXIT, PayError } from '../../errors.ts'
import { splitJsonItems } from '../../json/reformat.ts'
import type { Facts } from '../../views/search/match.ts'
import type { Page, Read } from './pages.ts'

export interface FoundPayment {
  readonly id: string
  /** As the service wrote it: a list's row, or the whole payment if it was read by its ID. */
  readonly text: string
  readonly summary: PaymentSummary
  /** Tell what became of refunds. Lists mostly lack them. */
  readonly transactions?: Payment['transactions']
}

export interface Row {
  readonly found: FoundPayment
  readonly facts: Facts
}

export function rowsOf({ answer, entries }: Page): readonly Row[] {
  const texts = splitJsonItems(answer.text, 'data') ?? []
  return entries.flatMap((entry, at) => rowOf(entry, texts[at] ?? '', false))
}

function rowOf(entry: unknown, text: string, isWhole: boolean): readonly Row[] {
  const plain = withoutNulls(entry)
  const id = textAt(plain, 'id')
  if (id === undefined || id === '') return []
  const given = fieldAt(plain, ['transactions'])
  const entries: readonly unknown[] | undefined = Array.isArray(given) ? given : isWhole ? [] : undefined
  const transactions = entries?.map((one) => parseResponse(transaction, one) ?? {})
  const summary = parseResponse(paymentSummary, plain) ?? { id, orderId: textAt(plain, 'orderId') }
  const { paymentMethodType, paymentMethodData: card } = summary.paymentMethod ?? {}
  const brands = [paymentMethodType, card?.network, card?.binData?.network].filter(
    (name) => name !== undefined,
  )
  const customer = fieldAt(plain, ['customer'])
  const email = textAt(customer, 'emailAddress')
  const phone = textAt(customer, 'mobileNumber')
  const facts = {
    ...summary,
    email,
    phone,
    names: namesOf(customer),
    brands,
    last4: card?.last4Digits,
    isWhole,
    transactions,
  }
  return [{ found: { id, text, summary }, facts }]
}

/** The names of a customer: their own, and those of the addresses. */
const namesOf = (customer: unknown): readonly string[] =>
  [customer, fieldAt(customer, ['billingAddress']), fieldAt(customer, ['shippingAddress'])].flatMap(
    (person) => {
      const name = [textAt(person, 'firstName'), textAt(person, 'lastName')].filter(
        (part) => part !== undefined,
      )
      return name.length === 0 ? [] : [name.join(' ')]
    },
  )

/** Reads a payment; undefined if the service has none with this ID. */
export async function readWhole(read: Read, id: string): Promise<Row | undefined> {
  try {
    const answer = await read({ operation: getPayment, params: { id } })
    return rowOf(answer.json, answer.text, true)[0]
  } catch (error) {
    if (!(error instanceof PayError) || !NOT_THERE.includes(error.exitCode)) throw error
    return undefined
  }
}

/** Exit codes for no such payment: a service may also refuse what it doesn't take for an ID. */
const NOT_THERE: readonly number[] = [EXIT.notFound, EXIT.rejected]

export const unusableListError = (what: string): PayError =>
  new PayError('unusable_answer', EXIT.serverFault, `The list of payments ${what}`, {
    operation: listPayments.id,
    outcome: 'none',
    retryable: false,
    hint: 'Use the payment ID.',
  })
