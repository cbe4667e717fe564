import type { JSX } from 'preact'
import { formatMoney } from '../../../money/format.ts'
import type { Session } from '../../../api/models/session.ts'
import { Money } from './grouped.tsx'
import { extraRows, hidesSurcharge, lineTotal } from './order-rows.ts'
import type { LineItem } from './order-rows.ts'
import type { Price, Terms } from './price.ts'

interface SummaryProps {
  readonly session: Session
  readonly terms: Terms
  readonly price: Price
}

/** What the customer pays for, down to the total of the chosen method. */
export function Summary({ session, terms, price }: SummaryProps): JSX.Element {
  const { orderId, order = {} } = session
  const { lineItems = [] } = order
  const { currencyCode } = terms
  const money = (amount: number | bigint) => <Money text={formatMoney(amount, currencyCode)} />
  return (
    <section class="summary" aria-labelledby="summary-title">
      <h2 id="summary-title">Order summary</h2>
      {orderId === undefined ? null : (
        <p class="order-id">
          <bdi>{orderId}</bdi>
        </p>
      )}
      {lineItems.length === 0 ? null : (
        <ul class="lines">
          {lineItems.map((line, index) => (
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
  const { name, description, itemId, amount = 0, quantity = 1, discountAmount = 0, taxAmount = 0 } = line
  const notes = [
    ...(quantity === 1 ? [] : [[`${quantity} × `, money(amount)]]),
    ...(discountAmount === 0 ? [] : [['Discount ', money(-discountAmount)]]),
    ...(taxAmount === 0 ? [] : [['Tax ', money(taxAmount)]]),
  ]
  return (
    <li>
      <span class="line-name">
        <bdi>{name || description || itemId || 'Item'}</bdi>
      </span>
      <span class="line-total">{money(lineTotal(line))}</span>
      {name && description ? (
        <span class="line-note">
          <bdi>{description}</bdi>
        </span>
      ) : null}
      {notes.map((note, index) => (
        <span class="line-note" key={index}>
          {note}
        </span>
      ))}
    </li>
  )
}
