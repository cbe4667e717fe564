import type { CellOptions } from '../../map/cell.ts'
import { ALL } from '../../map/field-schema.ts'
import type { InputRow } from '../../map/row.ts'
import type { CheckBody } from '../../read/ndjson.ts'
import { problemsMessage, shortMessage } from '../../send/row-message.ts'
import { idFault } from '../../../text/id-fault.ts'
import { escapeFault } from '../../../client/calls/bad-id.ts'
import { pathValue } from '../../../client/calls/build.ts'
import { PayError, UsageError } from '../../../errors.ts'
import { isRecord } from '../../../json/is-record.ts'
import { isLosslessNumber } from '../../../json/json.ts'
import { howToWrite, needsCurrency, parseAmount } from '../../../money/parse.ts'
import type { Amount } from '../../../money/parse.ts'
import { didYouMean } from '../../../text/suggest.ts'
import { PAYMENT_MOVED } from '../plan.ts'
import type { BatchOperation } from '../plan.ts'
import { BATCH_FIELDS } from './row-fields.ts'

/** A row of the input, read as far as possible. */
export interface BatchRow {
  readonly row: number
  readonly line: number
  /** The cells as read; for NDJSON the line. */
  readonly cells: readonly string[]
  readonly paymentId: string | undefined
  readonly orderId: string | undefined
  /** The amount in minor units; undefined for all that is left, a cancellation, and an amount that can't be read. */
  readonly amount: number | undefined
  readonly takesAll: boolean
  readonly currencyCode: string | undefined
  readonly reason: string | undefined
  readonly ticket: string | undefined
  /** Whether a capture says that it is the last one of its payment. */
  readonly final: boolean | undefined
  /** Whether an earlier plan had the row, and its payment moved before it was done. */
  readonly mayBeDone: boolean
  /** Why the row can't be used, in words. */
  readonly problem: string | undefined
}

export interface RowOptions {
  readonly operation: BatchOperation
  readonly amounts: CellOptions['amounts']
  readonly numbers: CellOptions['numbers']
  /** Whether a row without an amount takes all that is left: `--empty-amount all`. */
  readonly takesAllIfEmpty: boolean
  /** The reason of rows without one. */
  readonly reason: string | undefined
  /** Normalizes a ticket, and throws a {@link PayError} for one that can't be used; `readReason` does the same for reasons. */
  readonly readTicket: (typed: string) => string | undefined
  readonly readReason: (typed: string) => string | undefined
  /** Makes text safe and masks secrets. */
  readonly clean: (text: string) => string
}

export function readBatchRow(
  { id, orderId: order = '', prepared, problems, cells, earlierReason }: InputRow,
  place: Pick<BatchRow, 'row' | 'line'>,
  options: RowOptions,
): BatchRow {
  // An empty cell has no value; in NDJSON, null and an empty text are the same.
  const fields = Object.fromEntries(
    Object.entries(prepared?.body ?? {}).filter(([, value]) => value !== null && value !== ''),
  )
  const text = (name: keyof typeof BATCH_FIELDS) => {
    const value = fields[name]
    return typeof value === 'string' ? value : undefined
  }
  const { operation } = options
  const faults: string[] = []
  const attempt = <T>(read: () => T, hint?: 'with hint'): T | undefined => {
    try {
      return read()
    } catch (error) {
      if (!(error instanceof PayError)) throw error
      faults.push(hint === undefined ? error.message : withHint(error))
      return undefined
    }
  }
  const [paymentId, orderId] = [text('paymentId') ?? filled(id), text('orderId') ?? filled(order)]
  attempt(() => optional(paymentId, (typed) => pathValue('paymentId', typed)))
  if (problems.length === 0)
    for (const [name, value] of Object.entries({ paymentId, orderId })) {
      const fault = value === undefined ? undefined : idFault(value)
      if (fault !== undefined) faults.push(`${name} ${fault}`)
    }
  const typed = fields['amount']
  const takesAll =
    problems.length === 0 &&
    operation !== 'cancel' &&
    (typed === ALL || (typed === undefined && options.takesAllIfEmpty))
  const money = attempt(
    () => (typed === ALL ? undefined : amountOf(typed, text('currencyCode'), options)),
    'with hint',
  )
  const ticket = attempt(() => optional(text('ticket'), options.readTicket))
  const escape = ticket === undefined ? undefined : escapeFault(paymentId)
  if (escape !== undefined) faults.push(`paymentId ${escape}`)
  const reason = attempt(() => optional(text('reason') ?? options.reason, options.readReason))
  const final = finalOf(fields['final'])
  if (problems.length > 0) faults.push(problemsMessage(problems, options.clean))
  else {
    if (paymentId === undefined && orderId === undefined)
      faults.push('neither paymentId nor orderId is filled in: fill in one of them')
    if (operation === 'cancel' && typed !== undefined)
      faults.push('a cancellation releases everything: clear the amount')
    if (operation !== 'cancel' && typed === undefined && !takesAll)
      faults.push('the amount is empty: write all for all that is left, or plan with --empty-amount all')
    if (money?.amount === 0) faults.push('the amount is zero: write all for all that is left')
    if (operation !== 'capture' && fields['final'] !== undefined)
      faults.push('only a capture can be final: clear final')
    else if (final === undefined && fields['final'] !== undefined)
      faults.push('final is neither true nor false')
  }
  return {
    ...place,
    cells,
    paymentId,
    orderId,
    amount: money?.amount,
    takesAll,
    currencyCode: money?.currencyCode ?? text('currencyCode'),
    reason,
    ticket,
    final,
    mayBeDone: earlierReason?.trim() === PAYMENT_MOVED,
    problem: shortMessage(faults.length === 0 ? undefined : faults.join('; '), options.clean),
  }
}

const filled = (text: string): string | undefined => (text === '' ? undefined : text)

/** The words of a row for an error that has a remedy. */
export const withHint = ({ message, details: { hint } }: PayError): string =>
  hint === undefined ? message : `${message} (${hint.replace(/\.$/, '')})`

const optional = <T>(text: string | undefined, read: (text: string) => T): T | undefined =>
  text === undefined ? undefined : read(text)

function amountOf(
  value: unknown,
  currencyCode: string | undefined,
  { amounts, numbers }: RowOptions,
): { readonly amount: number; readonly currencyCode: string | undefined } | undefined {
  if (value === undefined) return undefined
  // In major units too, a cell that names its currency is text.
  const isTyped = typeof value === 'string'
  // Without the currency, the number of decimals is unknown.
  if (currencyCode === undefined && (isTyped ? needsCurrency(value) : amounts === 'major'))
    throw new UsageError('the amount needs a currency', {
      hint: "Fill in currencyCode, use --const currencyCode=EUR, or write '7.00 EUR'",
    })
  if (isTyped) {
    const parsed = parseTyped(value, currencyCode, numbers)
    return { amount: parsed.amountMinor, currencyCode: parsed.currencyCode }
  }
  // Every row with an amount has one: without it, the row would take all that is left.
  if (typeof value !== 'number') throw new UsageError('the amount is not an amount')
  return { amount: value, currencyCode }
}

/** Reads `final`, which NDJSON may have as text. */
function finalOf(value: unknown): boolean | undefined {
  if (typeof value === 'boolean') return value
  const text = typeof value === 'string' ? value.toLowerCase() : undefined
  return text === 'true' ? true : text === 'false' ? false : undefined
}

/** Parses an amount. A file may have decimal commas, which an amount on the command line never has. */
function parseTyped(value: string, currencyCode: string | undefined, numbers: RowOptions['numbers']): Amount {
  const usual = howToWrite(currencyCode).replace(/\.$/, '')
  const hint =
    numbers === 'decimal-comma'
      ? usual.replace('.', ',')
      : `${usual}${value.includes(',') ? '; for decimal commas, add --decimal-comma' : ''}`
  return parseAmount(value, { what: 'the amount', currencyCode, allowZero: true, hint })
}

/** Checks a row of NDJSON: known fields, text, amounts as numbers or text, and `final` as true or false. */
export const checkBatchBody: CheckBody = (body) => {
  const problems: { readonly path: string; readonly description: string }[] = []
  for (const [name, value] of Object.entries(isRecord(body) ? body : {})) {
    const isAmount =
      name === 'amount' && (typeof value === 'number' || typeof value === 'bigint' || isLosslessNumber(value))
    const isFinal = name === 'final' && typeof value === 'boolean'
    if (!Object.hasOwn(BATCH_FIELDS, name)) {
      const suggestion = didYouMean(name, Object.keys(BATCH_FIELDS))
      problems.push({
        path: `$.${name}`,
        description: `is not a field of a batch row${suggestion === undefined ? '' : `; ${suggestion.replace('Did', 'did')}`}`,
      })
    } else if (typeof value !== 'string' && value !== null && !isAmount && !isFinal)
      problems.push({ path: `$.${name}`, description: 'must be text' })
  }
  return { problems, warnings: [] }
}
