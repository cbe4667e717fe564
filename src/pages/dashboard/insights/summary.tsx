import { formatRate } from '../../../views/insights/format.ts'
import type { InsightGroup, Insights } from '../../../views/insights/insights.ts'
import type { ComponentChild } from 'preact'
import { ABSENT } from '../../page/format.ts'
import { compareCounts, compareRates, compareSums } from './compare.ts'
import { Count } from './count.tsx'
import { formatFigure, totalOf } from './figures.ts'
import { paymentsAddress } from './payment-links.ts'
import type { Period } from './periods.ts'
import { groupThousands } from '../../../text/words.ts'

interface SummaryProps {
  readonly insights: Insights
  readonly groups: readonly InsightGroup[]
  /** Groups of the period before. */
  readonly before: readonly InsightGroup[] | undefined
  readonly currencyCode: string
  readonly period: Period
}

/** The figures of the whole period, each next to that of the period before. */
export function Summary({ insights, groups, before, currencyCode, period }: SummaryProps) {
  const now = totalOf(groups, currencyCode)
  const earlier = before === undefined ? undefined : totalOf(before, currencyCode)
  const countOf = (name: 'count' | 'declined' | 'failed', status?: string): Figure => ({
    value: <Count count={now[name]} to={paymentsAddress(insights, currencyCode, { status })} />,
    was: earlier && groupThousands(earlier[name]),
    difference: earlier && compareCounts(now[name], earlier[name]),
  })
  const sumOf = (name: 'amountAuthorized' | 'amountCaptured' | 'amountRefunded' | 'net'): Figure => ({
    value: formatFigure(now[name], currencyCode),
    unit: currencyCode,
    was: earlier && formatFigure(earlier[name], currencyCode),
    difference: earlier && compareSums(now[name], earlier[name], currencyCode),
  })
  const rate: Figure = {
    value: formatRate(now.authorizationRate),
    was: earlier && formatRate(earlier.authorizationRate),
    difference: earlier && compareRates(now.authorizationRate, earlier.authorizationRate),
  }
  const figures: readonly (readonly [string, Figure])[] = [
    ['Payments', countOf('count')],
    ['Authorization rate', rate],
    ['Declined', countOf('declined', 'DECLINED')],
    ['Failed', countOf('failed', 'FAILED')],
    ['Authorized', sumOf('amountAuthorized')],
    ['Captured', sumOf('amountCaptured')],
    ['Refunded', sumOf('amountRefunded')],
    ['Net', sumOf('net')],
  ]
  return (
    <section aria-label="Summary">
      <dl class="summary">
        {figures.map(([name, figure]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>
              <span class="large">{figure.value}</span>
              {figure.unit === undefined ? null : <span class="quiet"> {figure.unit}</span>}
              {figure.difference === undefined ? null : (
                <small>
                  {figure.was === ABSENT
                    ? `unknown in ${period.beforeName}`
                    : `${figure.difference} (${figure.was} in ${period.beforeName})`}
                </small>
              )}
            </dd>
          </div>
        ))}
      </dl>
    </section>
  )
}

interface Figure {
  readonly value: ComponentChild
  readonly unit?: string
  /** In the period before. */
  readonly was: string | undefined
  readonly difference: string | undefined
}
