import type { Insights, InsightGroup, Sum } from '../../insights/insights.ts'
import { exponentOf } from '../../money/currencies.ts'
import { formatUnits } from '../../money/format.ts'
import { renderTable } from '../../output/table.ts'
import type { Column } from '../../output/table.ts'
import type { RenderOptions, View } from '../../output/view.ts'
import { formatField } from '../format-fields.ts'

const LONGEST_BAR = 20
const SHORTEST_BAR = 4

/** A table for each currency, so that amounts of two currencies never stand in one column. */
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
  const most = Math.max(...rows.map(({ count }) => count))
  const longest =
    width === undefined ? LONGEST_BAR : Math.min(LONGEST_BAR, Math.max(SHORTEST_BAR, Math.floor(width / 6)))
  return [
    {
      title: by.toUpperCase(),
      text: ({ key }) => (key === null ? '(none)' : formatField(key)),
      shrink: true,
    },
    { title: 'COUNT', text: ({ count }) => String(count), align: 'right' },
    { title: '', text: ({ count }) => '█'.repeat(Math.max(1, Math.round((count / most) * longest))) },
    { title: 'RATE', text: ({ authorizationRate }) => rateText(authorizationRate), align: 'right', drop: 1 },
    { title: 'NET', text: ({ net, currencyCode }) => sumText(net, currencyCode), align: 'right', drop: 2 },
    {
      title: 'CAPTURED',
      text: ({ amountCaptured, currencyCode }) => sumText(amountCaptured, currencyCode),
      align: 'right',
      drop: 3,
    },
    {
      title: 'REFUNDED',
      text: ({ amountRefunded, currencyCode }) => sumText(amountRefunded, currencyCode),
      align: 'right',
      drop: 4,
    },
    {
      title: 'AUTHORIZED',
      text: ({ amountAuthorized, currencyCode }) => sumText(amountAuthorized, currencyCode),
      align: 'right',
      drop: 5,
    },
    { title: 'APPROVED', text: ({ authorized }) => String(authorized), align: 'right', drop: 6 },
    { title: 'DECLINED', text: ({ declined }) => String(declined), align: 'right', drop: 7 },
    { title: 'FAILED', text: ({ failed }) => String(failed), align: 'right', drop: 8 },
  ]
}

/** `66.7 %`; nothing where there is no rate. */
export const rateText = (rate: number | null): string =>
  rate === null ? '–' : `${(rate * 100).toFixed(1)} %`

/** `49.90`, in the currency's major units. */
export function sumText(sum: Sum, currencyCode: string | null): string {
  if (sum === null) return '–'
  return formatUnits(sum, exponentOf(currencyCode ?? '') ?? 0)
}
