import { PAYMENT_STATUSES } from '../api/sets.ts'
import { parseDayOrMoment } from '../cli/parse/flag-values.ts'
import { textFlag } from '../cli/command/input.ts'
import type { CommandInput } from '../cli/command/input.ts'
import type { FlagSpec } from '../cli/command/flags.ts'
import { UsageError } from '../errors.ts'
import { parseAmount, refuseUnknownCurrency } from '../money/parse.ts'

const METHOD_TYPES = ['PAYMENT_CARD', 'PAYPAL', 'GOOGLE_PAY', 'APPLE_PAY', 'KLARNA', 'IDEAL'] as const

/** The filters of a list of payments. Those without a `query` are read by {@link readFilters}. */
export const LIST_FILTERS = {
  status: {
    kind: 'text',
    value: 'STATUS,…',
    query: 'status',
    known: PAYMENT_STATUSES,
    help: 'Such as AUTHORIZED or SETTLED, in any case',
  },
  'order-id': {
    kind: 'text',
    value: 'ID,…',
    query: 'order_id',
    from: 'order',
    help: 'Your reference for the order',
  },
  'customer-id': {
    kind: 'text',
    value: 'ID,…',
    query: 'customer_id',
    help: 'Your identifier of the customer',
  },
  'customer-email-address': {
    kind: 'text',
    value: 'ADDRESS,…',
    query: 'customer_email_address',
    help: "The customer's email address",
  },
  currency: { kind: 'text', value: 'CODE,…', query: 'currency_code', help: 'ISO 4217 code, such as EUR' },
  'min-amount': {
    kind: 'text',
    value: 'AMOUNT',
    help: "That amount or more: minor units (700), or money with its currency ('7.00 EUR')",
  },
  'max-amount': { kind: 'text', value: 'AMOUNT', help: 'That amount or less' },
  'payment-method-type': {
    kind: 'text',
    value: 'TYPE,…',
    query: 'payment_method_type',
    known: METHOD_TYPES,
    help: 'Such as PAYMENT_CARD or PAYPAL',
  },
  'last-4-digits': { kind: 'text', value: 'DIGITS,…', help: 'The last four digits of the card' },
  processor: { kind: 'text', value: 'NAME,…', query: 'processor', help: "The processor's name" },
  'merchant-id': {
    kind: 'text',
    value: 'ID,…',
    query: 'merchant_id',
    help: 'The processor merchant ID of your account with the processor',
  },
  from: {
    kind: 'text',
    value: 'TIME',
    help: 'Created then or later: a day (2026-01-31) or a moment with its zone',
  },
  to: { kind: 'text', value: 'TIME', help: 'Created then or earlier' },
} as const satisfies Record<string, FlagSpec>

/** The query parameters of the filters that mean more than their text. */
export function readFilters(input: CommandInput): Readonly<Record<string, string>> {
  for (const code of textFlag(input, 'currency')?.split(',') ?? []) refuseUnknownCurrency(code, '--currency')
  const query: Record<string, string> = { ...readAmounts(input) }
  const digits = textFlag(input, 'last-4-digits')
  if (digits !== undefined) query['last_4_digits'] = readDigits(digits)
  const moments = [
    ['from_date', 'from', '00:00:00.000'],
    ['to_date', 'to', '23:59:59.999'],
  ] as const
  for (const [parameter, flag, timeOfDay] of moments) {
    const text = textFlag(input, flag)
    if (text !== undefined) query[parameter] = parseDayOrMoment(text, `--${flag}`, timeOfDay)
  }
  return query
}

/** An amount whose currency is written asks for that currency alone: 700 minor units of another are other money. */
function readAmounts(input: CommandInput): Readonly<Record<string, string>> {
  const codes = textFlag(input, 'currency')?.split(',')
  const [only] = codes?.length === 1 ? codes : []
  const amounts = (['min-amount', 'max-amount'] as const).flatMap((flag) => {
    const text = textFlag(input, flag)
    return text === undefined
      ? []
      : [{ flag, ...parseAmount(text, { what: `--${flag}`, currencyCode: only, allowZero: true }) }]
  })
  const [written] = new Set(amounts.flatMap(({ currencyCode }) => currencyCode ?? []))
  for (const { flag, currencyCode } of amounts) {
    const isOther = currencyCode !== undefined && currencyCode !== written
    if (isOther || (currencyCode !== undefined && codes !== undefined && only === undefined))
      throw new UsageError(
        `--${flag} is in ${currencyCode}, and ${isOther ? `--min-amount in ${written ?? ''}` : `--currency asks for ${codes?.join(', ') ?? ''}`}`,
        { code: 'currency_conflict', hint: 'Amounts in several currencies take one list each.' },
      )
  }
  const [first, second] = amounts
  if (first !== undefined && second !== undefined && first.amountMinor > second.amountMinor)
    throw new UsageError('--min-amount is more than --max-amount: no payment has such an amount', {
      code: 'bad_value',
    })
  return {
    ...Object.fromEntries(
      amounts.map(({ flag, amountMinor }) => [flag.replace('-', '_'), String(amountMinor)]),
    ),
    ...(written === undefined ? {} : { currency_code: written }),
  }
}

function readDigits(text: string): string {
  if (text.split(',').every((digits) => /^\d{4}$/.test(digits))) return text
  // Not repeated: it may be the whole number of a card.
  throw new UsageError('--last-4-digits takes four digits, or several such with commas between them', {
    code: 'bad_value',
  })
}
