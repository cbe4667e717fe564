import { paymentRecord } from '../../api/models/external-payment.ts'
import { paymentSummary } from '../../api/models/payment.ts'
import { listPaymentRecords } from '../../api/operations/observability.ts'
import { listPayments } from '../../api/operations/payment.ts'
import { parseResponse } from '../../api/parse-response.ts'
import type { CommandInput } from '../../cli/command/input.ts'
import { textFlag } from '../../cli/command/input.ts'
import { resultOf } from '../../cli/command/result.ts'
import type { CommandRun, CommandSpec } from '../../cli/command/spec.ts'
import { operate } from '../../cli/operate.ts'
import { EXIT } from '../../errors.ts'
import { factOfPayment, factOfRecord } from '../../views/insights/facts.ts'
import { GROUPINGS, InsightsTally } from '../../views/insights/insights.ts'
import type { InsightsQuery, Insights, InsightGroup } from '../../views/insights/insights.ts'
import { refuseUnknownCurrency } from '../../money/parse.ts'
import { joinChoices } from '../../text/suggest.ts'
import { pluralize } from '../../text/words.ts'
import { readListPages } from '../list-pages.ts'
import { oneOf } from '../../cli/parse/choices.ts'
import { periodFlags, readPeriod, timeForPeriod } from '../period.ts'
import { cannotReadRecords } from '../record-reads.ts'
import { formatRate, formatSum } from '../../views/insights/format.ts'
import { renderTable } from '../../output/table.ts'
import type { Column } from '../../output/table.ts'
import type { RenderOptions, View } from '../../output/view.ts'
import { formatField } from '../../views/format-fields.ts'

export const command: CommandSpec = {
  path: ['insights'],
  summary: 'Show counts, authorization rates and sums over your payments',
  details:
    "Reads every payment of the period, and external records if the service can list them. Never adds up amounts in different currencies. Days and hours are UTC. A figure that the service doesn't provide is null, not zero. The authorization rate is authorized / (authorized + declined + failed); authorized counts every payment that was ever authorized, including those cancelled or refunded later.",
  examples: [
    { purpose: 'count all payments by status', line: 'pay insights' },
    {
      purpose: 'see why payments were declined in the last week',
      line: 'pay insights --from 7d --by reason',
    },
    {
      purpose: 'break down a month by day, in one currency',
      line: 'pay insights --from 2026-01-01 --to 2026-01-31 --by day --currency EUR',
    },
    { purpose: 'compare processors in a spreadsheet', line: 'pay insights --by processor -o csv' },
  ],
  flags: {
    ...periodFlags('Created'),
    by: {
      kind: 'text',
      value: 'WHAT',
      choices: GROUPINGS,
      help: `What to group by: ${joinChoices(GROUPINGS)} (default status)`,
    },
    currency: { kind: 'text', value: 'CODE', help: 'Only this currency: an ISO 4217 code, such as EUR' },
  },
  exitCodes: [EXIT.auth, EXIT.rateLimited, EXIT.notConnected, EXIT.serverFault],
  run,
  supportsDryRun: true,
  related: ['payment list', 'observability list'],
}

async function run(invocation: CommandRun, input: CommandInput) {
  const query = readQuery(input, await timeForPeriod(invocation, input))
  const filters = {
    ...(query.from === undefined ? {} : { from_date: query.from.toISOString() }),
    ...(query.to === undefined ? {} : { to_date: query.to.toISOString() }),
    ...(query.currencyCode === undefined ? {} : { currency_code: query.currencyCode }),
  }
  if (invocation.settings.mode !== 'send')
    return operate(invocation, listPaymentRecords, {
      params: {},
      query: filters,
      body: undefined,
      money: undefined,
    })
  const tally = new InsightsTally(query)
  let unreadable = 0
  try {
    for await (const { entries } of readListPages(invocation, listPaymentRecords, filters))
      for (const entry of entries) {
        const record = parseResponse(paymentRecord, entry)
        if (record === undefined) unreadable += 1
        else tally.add(factOfRecord(record))
      }
  } catch (error) {
    if (!cannotReadRecords(error)) throw error
    await invocation.note(
      "This service can't list records: the figures cover only its own payments, without reasons and countries.",
    )
    for await (const { entries } of readListPages(invocation, listPayments, filters))
      for (const entry of entries) {
        const payment = parseResponse(paymentSummary, entry)
        if (payment === undefined) unreadable += 1
        else tally.add(factOfPayment(payment))
      }
  }
  if (unreadable > 0)
    await invocation.warn(
      `Warning: The figures lack ${pluralize(unreadable, 'payment')} whose data has an unexpected shape.`,
    )
  return resultOf(tally.result(), insightsView)
}

function readQuery(input: CommandInput, now: Date): InsightsQuery {
  const currencyCode = textFlag(input, 'currency')
  if (currencyCode !== undefined) refuseUnknownCurrency(currencyCode, '--currency')
  const by = textFlag(input, 'by')
  const { from, to } = readPeriod(input, now)
  return {
    by: by === undefined ? 'status' : oneOf('--by', by, GROUPINGS),
    from: from === undefined ? undefined : new Date(from),
    to: to === undefined ? undefined : new Date(to),
    currencyCode,
  }
}

const LONGEST_BAR = 20
const SHORTEST_BAR = 4

/** One table per currency, so that no column mixes two currencies. */
const insightsView: View<Insights> = {
  ids: ({ groups }) => groups.flatMap(({ key }) => key ?? []),
  itemsKey: 'groups',
  csvColumns: [
    'key',
    'currencyCode',
    'count',
    'authorized',
    'declined',
    'failed',
    'authorizationRate',
    'amountAuthorized',
    'amountCaptured',
    'amountRefunded',
    'net',
  ],
  render: ({ by, groups }, options) => {
    if (groups.length === 0) return 'No payments found.'
    const currencies = [...new Set(groups.map(({ currencyCode }) => currencyCode))]
    return currencies
      .map((currencyCode) => {
        const rows = groups.filter((group) => group.currencyCode === currencyCode)
        const title = options.paint(formatField(currencyCode ?? 'unknown currency'), 'strong')
        return `${title}\n${renderTable(columnsFor(by, rows, options), rows, options)}`
      })
      .join('\n\n')
  },
}

function columnsFor(
  by: Insights['by'],
  rows: readonly InsightGroup[],
  { width }: RenderOptions,
): readonly Column<InsightGroup>[] {
  const highestCount = Math.max(...rows.map(({ count }) => count))
  const maxBarWidth =
    width === undefined ? LONGEST_BAR : Math.min(LONGEST_BAR, Math.max(SHORTEST_BAR, Math.floor(width / 6)))
  return [
    {
      title: by.toUpperCase(),
      text: ({ key }) => (key === null ? '(none)' : formatField(key)),
      shrink: true,
    },
    { title: 'COUNT', text: ({ count }) => String(count), align: 'right' },
    {
      title: '',
      text: ({ count }) => '█'.repeat(Math.max(1, Math.round((count / highestCount) * maxBarWidth))),
    },
    {
      title: 'RATE',
      text: ({ authorizationRate }) => formatRate(authorizationRate),
      align: 'right',
      drop: 1,
    },
    { title: 'NET', text: ({ net, currencyCode }) => formatSum(net, currencyCode), align: 'right', drop: 2 },
    {
      title: 'CAPTURED',
      text: ({ amountCaptured, currencyCode }) => formatSum(amountCaptured, currencyCode),
      align: 'right',
      drop: 3,
    },
    {
      title: 'REFUNDED',
      text: ({ amountRefunded, currencyCode }) => formatSum(amountRefunded, currencyCode),
      align: 'right',
      drop: 4,
    },
    {
      title: 'AUTHORIZED',
      text: ({ amountAuthorized, currencyCode }) => formatSum(amountAuthorized, currencyCode),
      align: 'right',
      drop: 5,
    },
    { title: 'APPROVED', text: ({ authorized }) => String(authorized), align: 'right', drop: 6 },
    { title: 'DECLINED', text: ({ declined }) => String(declined), align: 'right', drop: 7 },
    { title: 'FAILED', text: ({ failed }) => String(failed), align: 'right', drop: 8 },
  ]
}
