import { PAYMENT_STATUSES } from '../api/sets.ts'
import { textFlag } from '../cli/command/input.ts'
import type { CommandInput } from '../cli/command/input.ts'
import type { FlagSpec } from '../cli/command/flags.ts'
import { inCanonicalCase } from '../cli/parse/choices.ts'
import { UsageError } from '../errors.ts'
import { parseAmount, refuseUnknownCurrency } from '../money/parse.ts'
import { didYouMean, joinChoices } from '../text/suggest.ts'
import { joinParts } from '../views/format-fields.ts'
import { periodFlags, readPeriod } from './period.ts'

const METHOD_TYPES = ['PAYMENT_CARD', 'PAYPAL', 'GOOGLE_PAY', 'APPLE_PAY', 'KLARNA', 'IDEAL'] as const

/** The filters of lists of payments and records. {@link readFilters} reads those without a `query`. */
export const LIST_FILTERS = {
  status: {
    kind: 'text',
    value: 'STATUS,…',
    query: 'status',
    suggestions: PAYMENT_STATUSES,
    help: 'Such as AUTHORIZED or SETTLED; case-insensitive',
  },
  'no-validate': { kind: 'switch', help: 'Send a --status that pay does not know' },
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
    help: 'Your ID for the customer',
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
    help: "Minimum amount: minor units (700), or money with its currency ('7.00 EUR')",
  },
  'max-amount': { kind: 'text', value: 'AMOUNT', help: 'Maximum amount' },
  'payment-method-type': {
    kind: 'text',
    value: 'TYPE,…',
    query: 'payment_method_type',
    suggestions: METHOD_TYPES,
    help: 'Such as PAYMENT_CARD or PAYPAL',
  },
  'last-4-digits': { kind: 'text', value: 'DIGITS,…', help: "The card's last four digits" },
  processor: { kind: 'text', value: 'NAME,…', query: 'processor', help: "The processor's name" },
  'merchant-id': {
    kind: 'text',
    value: 'ID,…',
    query: 'merchant_id',
    help: 'Your merchant ID at the processor',
  },
  ...periodFlags('Created'),
} as const satisfies Record<string, FlagSpec>

/** Query parameters of the filters whose values are parsed rather than sent as typed. */
export function readFilters(input: CommandInput, now: Date): Readonly<Record<string, string>> {
  refuseUnknownStatus(input)
  for (const code of textFlag(input, 'currency')?.split(',') ?? []) refuseUnknownCurrency(code, '--currency')
  const query: Record<string, string> = { ...readAmounts(input) }
  const digits = textFlag(input, 'last-4-digits')
  if (digits !== undefined) query['last_4_digits'] = readDigits(digits)
  const { from, to } = readPeriod(input, now)
  if (from !== undefined) query['from_date'] = from
  if (to !== undefined) query['to_date'] = to
  return query
}

/** Refuses an unknown status, because a service that ignores it would list every payment. */
function refuseUnknownStatus(input: CommandInput): void {
  const typed = textFlag(input, 'status')
  if (typed === undefined || input.flags['validate'] === false) return
  for (const word of inCanonicalCase(typed, PAYMENT_STATUSES).split(','))
    if (!PAYMENT_STATUSES.some((status) => status === word))
      throw new UsageError(`--status takes ${joinChoices(PAYMENT_STATUSES)}, not "${word}"`, {
        code: 'bad_value',
        hint: joinParts([meantByStatus(word), 'To send it unchanged, add --no-validate.'], ' '),
      })
}

/** Words that people take for statuses, with the flag that finds such payments. */
const NO_STATUSES = [
  [/refund/i, 'A refund is no status: to list refunded payments, use --refunds partial or --refunds full.'],
  [/^(?:captured|paid|succe)/i, 'Captured payments are SETTLED, SETTLING or PARTIALLY_SETTLED.'],
] as const

const meantByStatus = (word: string): string | undefined =>
  NO_STATUSES.find(([pattern]) => pattern.test(word))?.[1] ?? didYouMean(word, PAYMENT_STATUSES)

/** Reads amounts. One with a currency also filters by that currency: 700 minor units are a different sum in another one. */
function readAmounts(input: CommandInput): Readonly<Record<string, string>> {
  const codes = textFlag(input, 'currency')?.split(',')
  const [onlyCode] = codes?.length === 1 ? codes : []
  const amounts = (['min-amount', 'max-amount'] as const).flatMap((flag) => {
    const text = textFlag(input, flag)
    return text === undefined
      ? []
      : [{ flag, ...parseAmount(text, { what: `--${flag}`, currencyCode: onlyCode, allowZero: true }) }]
  })
  const [amountCurrency] = new Set(amounts.flatMap(({ currencyCode }) => currencyCode ?? []))
  for (const { flag, currencyCode } of amounts) {
    const isSecondCurrency = currencyCode !== undefined && currencyCode !== amountCurrency
    if (isSecondCurrency || (currencyCode !== undefined && codes !== undefined && onlyCode === undefined))
      throw new UsageError(
        `--${flag} is in ${currencyCode}, but ${isSecondCurrency ? `--min-amount is in ${amountCurrency ?? ''}` : `--currency is ${codes?.join(', ') ?? ''}`}`,
        {
          code: 'currency_conflict',
          hint: 'To filter amounts in several currencies, list each currency on its own.',
        },
      )
  }
  const [first, second] = amounts
  if (first !== undefined && second !== undefined && first.amountMinor > second.amountMinor)
    throw new UsageError('--min-amount is more than --max-amount, so no payment can match', {
      code: 'bad_value',
    })
  return {
    ...Object.fromEntries(
      amounts.map(({ flag, amountMinor }) => [flag.replace('-', '_'), String(amountMinor)]),
    ),
    ...(amountCurrency === undefined ? {} : { currency_code: amountCurrency }),
  }
}

function readDigits(text: string): string {
  if (text.split(',').every((digits) => /^\d{4}$/.test(digits))) return text
  // The message leaves the value out: it may be a full card number.
  throw new UsageError('--last-4-digits takes four digits, or several groups of four separated by commas', {
    code: 'bad_value',
  })
}
