import type { JSX } from 'preact'
import { formatMoney } from '../../../../money/format.ts'
import type { LineItem, OrderDetails, Price, Terms } from '../service/details.ts'
import { Money } from './grouped.tsx'
import { extraRows, hidesSurcharge, lineTotal } from './order-rows.ts'

export interface SummaryProps {
  readonly order: OrderDetails
  readonly terms: Terms
  readonly price: Price
}

/** What the customer pays for, down to the total of the chosen method. */
export function Summary({ order, terms, price }: SummaryProps): JSX.Element {
  const { currencyCode } = terms
  const money = (amount: number | bigint) => <Money text={formatMoney(amount, currencyCode)} />
  return (
    <section class="summary" aria-labelledby="summary-title">
      <h2 id="summary-title">Order summary</h2>
      {order.orderId === undefined ? null : (
        <p class="order-id">
          <bdi>{order.orderId}</bdi>
        </p>
      )}
      {order.lineItems.length === 0 ? null : (
        <ul class="lines">
          {order.lineItems.map((line, index) => (
            <Line key={index} line={line} money={money} />
          ))}
        </ul>
      )}
      <dl class="rows">
        {extraRows(order, terms, price).map(({ label, amount }, index) => (
          <div key={index}>
            <dt>
              <bdi>{label}</bdi>
            </dt>
            <dd>{money(amount)}</dd>
          </div>
        ))}
        <div class="total">
          <dt>Total</dt>
          <dd>{money(price.amount)}</dd>
        </div>
      </dl>
      {hidesSurcharge(terms, price) ? (
        <p class="hint">The total includes every charge for this payment method.</p>
      ) : null}
    </section>
  )
}

interface LineProps {
  readonly line: LineItem
  readonly money: (amount: number | bigint) => JSX.Element
}

function Line({ line, money }: LineProps): JSX.Element {
  const { quantity, discountAmount, taxAmount } = line
  const notes = [
    ...(quantity === 1 ? [] : [[`${quantity} × `, money(line.amount)]]),
    ...(discountAmount === 0 ? [] : [['Discount ', money(-discountAmount)]]),
    ...(taxAmount === 0 ? [] : [['Tax ', money(taxAmount)]]),
  ]
  return (
    <li>
      <span class="line-name">
        <bdi>{line.name}</bdi>
      </span>
      <span class="line-total">{money(lineTotal(line))}</span>
      {line.description === undefined ? null : (
        <span class="line-note">
          <bdi>{line.description}</bdi>
        </span>
      )}
      {notes.map((note, index) => (
        <span class="line-note" key={index}>
          {note}
        </span>
      ))}
    </li>
  )
}
