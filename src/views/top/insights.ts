import { formatRate, formatSum } from '../insights/format.ts'
import type { Insights, InsightGroup } from '../insights/insights.ts'
import { renderTable } from '../../output/table.ts'
import type { Column } from '../../output/table.ts'
import type { RenderOptions, View } from '../../output/view.ts'
import { formatField } from '../format-fields.ts'

const LONGEST_BAR = 20
const SHORTEST_BAR = 4

/** One table per currency, so that no column mixes two currencies. */
export const insightsView: View<Insights> = {
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
