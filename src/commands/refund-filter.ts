import { paymentSummary, payment as wholePayment } from '../api/models/payment.ts'
import { getPayment } from '../api/operations/payment.ts'
import { REFUND_FILTERS, fitsRefunds } from '../api/payment-states.ts'
import type { RefundFilter } from '../api/payment-states.ts'
import { parseResponse } from '../api/parse-response.ts'
import type { CommandInput } from '../cli/command/input.ts'
import type { FlagSpec } from '../cli/command/flags.ts'
import type { Invocation } from '../cli/command/invocation.ts'
import { withoutNulls } from '../cli/command/nulls.ts'
import { readChoices } from '../cli/parse/choices.ts'
import { UsageError } from '../errors.ts'
import { fieldAt, textAt } from '../json/fields.ts'
import { isRecord } from '../json/is-record.ts'
import { splitJsonItems } from '../json/reformat.ts'
import { pluralize } from '../text/words.ts'
import type { Page } from './find/pages.ts'

export const REFUNDS_FLAG = {
  kind: 'text',
  value: 'STATE',
  choices: REFUND_FILTERS,
  help: 'none, partial or full (pending refunds count), pending or failed. Judged here, payment by payment: for pending and failed, each payment that may fit is read',
} as const satisfies FlagSpec

export function readRefundFilter(input: CommandInput): RefundFilter | undefined {
  const wanted = readChoices(input, 'refunds', REFUND_FILTERS)
  if (wanted !== undefined && wanted.length > 1)
    throw new UsageError('--refunds takes one state', { code: 'bad_value' })
  return wanted?.[0]
}

/** How many payments are read at a time. */
const CONCURRENT_READS = 8

/** The pages with only the payments whose refunds fit, until `limit` are found. Payments that a row doesn't tell enough of are read. */
export async function* filterByRefunds(
  invocation: Invocation,
  pages: AsyncIterable<Page>,
  { refunds, limit }: { readonly refunds: RefundFilter; readonly limit: number },
): AsyncGenerator<Page> {
  const counts = { checked: 0, read: 0, untold: 0, found: 0 }
  const isTable = invocation.settings.format === 'table'
  const judge = async (row: unknown) => {
    const summary = parseResponse(paymentSummary, withoutNulls(row))
    const known = summary === undefined ? undefined : fitsRefunds(refunds, summary)
    const id = textAt(row, 'id')
    if (known !== undefined || id === undefined) return { fits: known, row }
    counts.read += 1
    const { json } = await invocation.call({ operation: getPayment, params: { id } })
    const whole = parseResponse(wholePayment, withoutNulls(json))
    // The table shows what became of the refunds.
    const transactions = fieldAt(json, ['transactions'])
    return {
      fits: whole === undefined ? undefined : fitsRefunds(refunds, { transactions: [], ...whole }),
      row: isRecord(row) && isTable ? { ...row, transactions } : row,
    }
  }
  try {
    for await (const { answer, entries, content, next } of pages) {
      const texts = splitJsonItems(answer.text, 'data') ?? []
      const fitting: { readonly row: unknown; readonly text: string }[] = []
      for (let start = 0; start < entries.length && counts.found < limit; start += CONCURRENT_READS) {
        const part = entries.slice(start, start + CONCURRENT_READS)
        for (const [at, { fits, row }] of (await Promise.all(part.map(judge))).entries()) {
          if (counts.found === limit) break
          counts.checked += 1
          if (fits === undefined) counts.untold += 1
          if (fits !== true) continue
          counts.found += 1
          fitting.push({ row, text: texts[start + at] ?? '' })
        }
      }
      const isEnough = counts.found === limit
      const text = `{"data":[${fitting.map((one) => one.text).join(',')}]}`
      yield {
        answer: { ...answer, text, json: { data: fitting.map(({ row }) => row) } },
        entries: fitting.map(({ row }) => row),
        content,
        next: isEnough ? undefined : next,
      }
      if (isEnough) break
    }
  } finally {
    await invocation.note(
      `${pluralize(counts.checked, 'payment')} checked here${counts.read === 0 ? '' : `, ${counts.read} of them read in full`}${counts.found === limit ? `; there may be more than these ${limit}: use --limit N or --all` : ''}.`,
    )
    if (counts.untold > 0)
      await invocation.warn(
        `Warning: ${pluralize(counts.untold, "payment doesn't", "payments don't")} say what was refunded, and ${counts.untold === 1 ? 'is' : 'are'} left out.`,
      )
  }
}
