import { formatAmount } from '../../page/format.ts'
import { Breakable } from './breakable.tsx'

interface AmountProps {
  readonly amount: number | bigint | null | undefined
  readonly currencyCode: string | undefined
}

/** `12,360.27 EUR`, the figure before its currency. */
export function Amount({ amount, currencyCode }: AmountProps) {
  const [figure = '', ...unit] = formatAmount(amount, currencyCode).split(' ')
  return (
    <span class="amount">
      <Breakable text={figure} />
      {unit.length === 0 ? null : <small> {unit.join(' ')}</small>}
    </span>
  )
}
