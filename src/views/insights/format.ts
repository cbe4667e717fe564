import { exponentOf } from '../../money/currencies.ts'
import { formatUnits } from '../../money/format.ts'
import type { Sum } from './insights.ts'

/** What a figure that isn't known looks like. */
const UNKNOWN = '–'

/** `66.7 %`; `–` if there is no rate. */
export const formatRate = (rate: number | null): string =>
  rate === null ? UNKNOWN : `${(rate * 100).toFixed(1)} %`

/** `49.90`, in the currency's major units; `–` if unknown. */
export const formatSum = (sum: Sum, currencyCode: string | null): string =>
  sum === null ? UNKNOWN : formatUnits(sum, exponentOf(currencyCode ?? '') ?? 0)
