import { isRecord } from '../../../../is-record.ts'
import { textOf, wholeOf } from './answer.ts'

/** The price with a payment method, surcharge included, in minor units. */
export interface Price {
  readonly amount: number
  readonly surcharge: number | undefined
}

export interface Method extends Price {
  /** As the API names it, such as `PAYMENT_CARD`. */
  readonly type: string
  readonly name: string
  /** Card networks with another price. */
  readonly networks: Readonly<Record<string, Price>>
}

export interface SavedMethod {
  readonly token: string
  readonly type: string
  readonly network: string | undefined
  readonly last4Digits: string | undefined
  readonly description: string | undefined
  readonly isDefault: boolean
}

export interface TestCard {
  readonly number: string
  /** What it is for, in a few words. */
  readonly title: string
}

export interface LineItem {
  readonly name: string
  readonly description: string | undefined
  readonly quantity: number
  /** Of one piece, in minor units. */
  readonly amount: number
  /** Of the whole line. */
  readonly discountAmount: number
  readonly taxAmount: number
}

export interface OrderDetails {
  readonly orderId: string | undefined
  readonly lineItems: readonly LineItem[]
  readonly fees: readonly { readonly amount: number; readonly label: string }[]
  readonly shipping: number | undefined
  /** Whether the card is saved for the customer's next purchase. */
  readonly savesMethod: boolean
}

export interface Terms {
  readonly amount: number
  readonly currencyCode: string
  readonly methods: readonly Method[]
  readonly showSurcharges: boolean
  readonly testCards: readonly TestCard[]
  /** The session's payment that isn't declined or failed, or else the latest. */
  readonly payment: { readonly id: string; readonly status: string } | undefined
  /** What the session lacks for a payment, as the API names it. */
  readonly missing: readonly string[]
}

const recordsOf = (value: unknown): readonly Readonly<Record<string, unknown>>[] =>
  Array.isArray(value) ? value.filter(isRecord) : []

const listOf = (body: unknown, field: string) => recordsOf(isRecord(body) ? body[field] : undefined)

/** The order in the response to `GET /client-session`. */
export function readOrder(body: unknown): OrderDetails {
  const session = isRecord(body) ? body : {}
  const order = isRecord(session['order']) ? session['order'] : {}
  const { shipping } = order
  const method = session['paymentMethod']
  return {
    orderId: textOf(session['orderId']),
    lineItems: recordsOf(order['lineItems']).map((line) => ({
      name: textOf(line['name']) ?? textOf(line['description']) ?? textOf(line['itemId']) ?? 'Item',
      description: textOf(line['name']) === undefined ? undefined : textOf(line['description']),
      quantity: wholeOf(line['quantity']) ?? 1,
      amount: wholeOf(line['amount']) ?? 0,
      discountAmount: wholeOf(line['discountAmount']) ?? 0,
      taxAmount: wholeOf(line['taxAmount']) ?? 0,
    })),
    fees: recordsOf(order['fees']).map((fee) => ({
      amount: wholeOf(fee['amount']) ?? 0,
      label: textOf(fee['description']) ?? textOf(fee['type']) ?? 'Fee',
    })),
    shipping: isRecord(shipping) ? wholeOf(shipping['amount']) : undefined,
    savesMethod: isRecord(method) && method['vaultOnSuccess'] === true,
  }
}

/** The response to `GET /sandbox/checkout`. */
export function readTerms(body: unknown): Terms {
  const terms = isRecord(body) ? body : {}
  const payment = isRecord(terms['payment']) ? terms['payment'] : {}
  const [id, status] = [textOf(payment['id']), textOf(payment['status'])]
  const amount = wholeOf(terms['amount'])
  const { missing } = terms
  return {
    amount: amount ?? 0,
    currencyCode: textOf(terms['currencyCode']) ?? '',
    methods: listOf(terms, 'methods').map((method) => {
      const price = readPrice(method, amount ?? 0)
      const networks = isRecord(method['networks']) ? Object.entries(method['networks']) : []
      return {
        type: textOf(method['type']) ?? '',
        name: textOf(method['name']) ?? '',
        ...price,
        networks: Object.fromEntries(
          networks.map(([name, own]) => [name, isRecord(own) ? readPrice(own, price.amount) : price]),
        ),
      }
    }),
    showSurcharges: terms['showSurcharges'] !== false,
    testCards: listOf(terms, 'testCards').map((card) => ({
      number: textOf(card['number']) ?? '',
      title: textOf(card['title']) ?? '',
    })),
    payment: id === undefined || status === undefined ? undefined : { id, status },
    missing: Array.isArray(missing) ? missing.filter((name) => typeof name === 'string') : [],
  }
}

const readPrice = (price: Readonly<Record<string, unknown>>, amount: number): Price => ({
  amount: wholeOf(price['amount']) ?? amount,
  surcharge: wholeOf(price['surcharge']),
})

/** The response to `GET /payment-instruments`. */
export function readSavedMethods(body: unknown): readonly SavedMethod[] {
  return listOf(body, 'data').flatMap((saved) => {
    const token = textOf(saved['token'])
    if (token === undefined || saved['deleted'] === true) return []
    const shown = isRecord(saved['paymentMethodData']) ? saved['paymentMethodData'] : {}
    return [
      {
        token,
        type: textOf(saved['paymentMethodType']) ?? '',
        network: textOf(shown['network']),
        last4Digits: textOf(shown['last4Digits']),
        description: textOf(saved['description']),
        isDefault: saved['default'] === true,
      },
    ]
  })
}
