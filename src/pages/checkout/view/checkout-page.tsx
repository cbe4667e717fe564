import { useSignal } from '@preact/signals'
import type { ReadonlySignal } from '@preact/signals'
import type { JSX } from 'preact'
import { useEffect } from 'preact/hooks'
import { formatMoney } from '../../../money/format.ts'
import { EMPTY_CARD, filledCard } from '../card/check-card.ts'
import type { Card } from '../card/check-card.ts'
import { digitsOf, groupDigits } from '../card/typed-digits.ts'
import type { Checkout } from '../payment/checkout.ts'
import type { Details } from '../payment/load.ts'
import type { Phase } from '../payment/phase.ts'
import type { CheckoutPayment } from '../service/client.ts'
import { CARD, hidesSurcharge, priceOf } from '../summary/price.ts'
import type { Choice, Price, Terms } from '../summary/price.ts'
import { Grouped, Money } from '../summary/grouped.tsx'
import { PaymentForm } from './payment-form.tsx'
import { PendingStep, Status, UnusableNotice } from './status.tsx'
import type { Session } from '../../../api/models/session.ts'
import { extraRows, lineTotal } from '../../../views/order.ts'
import type { LineItem } from '../../../views/order.ts'

interface CheckoutPageProps {
  readonly checkout: Checkout
  readonly isOnline: ReadonlySignal<boolean>
  readonly today: () => Date
  /** Undefined if there is nothing to go back to. */
  readonly onCancel: (() => void) | undefined
}

/** The whole page: the order, the ways to pay, and the result. */
export function CheckoutPage({ checkout, isOnline, today, onCancel }: CheckoutPageProps): JSX.Element {
  const card = useSignal<Card>(EMPTY_CARD)
  const chosen = useSignal<Choice | undefined>(undefined)
  const isReturning = useSignal(false)
  const phase = checkout.phase.value
  const details = checkout.details.value
  const choice = details === undefined ? undefined : currentChoice(chosen.value, details)
  const price =
    details === undefined || choice === undefined
      ? undefined
      : (paidPrice(phase, details) ??
        checkout.paying.value ??
        priceOf(choice, details.terms, card.value.number))
  const amount =
    details === undefined || price === undefined
      ? undefined
      : formatMoney(price.amount, details.terms.currencyCode)
  const methodName =
    details?.terms.methods.find(({ type }) => type === paymentOf(phase)?.paymentMethod?.paymentMethodType)
      ?.name ?? 'the payment method'
  const forgetCard = () => {
    card.value = EMPTY_CARD
  }
  // A page that the browser keeps for the Back button must not keep the card.
  useEffect(() => {
    addEventListener('pagehide', forgetCard)
    return () => removeEventListener('pagehide', forgetCard)
  }, [])

  const isForm = phase.kind === 'choosing' || phase.kind === 'busy'
  const isFailed = phase.kind === 'ended' && phase.result.outcome !== 'successful'
  const isCardOffered = details?.terms.methods.some(({ type }) => type === CARD) === true
  return (
    <div class="checkout">
      <div class="top">
        <h1>Checkout</h1>
        <p>Sandbox: no money moves</p>
      </div>
      <div aria-live="polite">
        {isOnline.value ? null : (
          <p class="offline">
            You are offline. Nothing is lost: this page continues when the connection is back.
          </p>
        )}
      </div>
      <div class={isForm ? 'columns' : 'columns settled'}>
        <div class="main">
          {phase.kind === 'unusable' ? (
            <UnusableNotice problem={phase.problem} onRetry={() => void checkout.load()} />
          ) : null}
          {isForm && details !== undefined && choice !== undefined ? (
            <PaymentForm
              details={details}
              choice={choice}
              card={card.value}
              amount={amount ?? ''}
              isBusy={phase.kind === 'busy'}
              problem={phase.kind === 'choosing' ? phase.problem : undefined}
              takesFocus={isReturning.value}
              today={today}
              onChosen={(next) => {
                chosen.value = next
              }}
              onTyped={(field, text) => {
                card.value = { ...card.value, [field]: text }
              }}
              onPay={() => void checkout.pay(choice, digitsOf(card.value.number), forgetCard)}
              onCancel={onCancel}
            />
          ) : null}
          {phase.kind === 'pending' ? (
            <PendingStep
              payment={phase.payment}
              methodName={methodName}
              amount={amount}
              isAnswering={phase.isAnswering}
              problem={phase.problem}
              onAnswer={(outcome) => void checkout.answer(outcome)}
            />
          ) : null}
          <Status phase={phase} amount={amount} methodName={methodName} />
          {phase.kind === 'unconfirmed' && phase.continues ? (
            <button type="button" class="secondary" onClick={() => checkout.checkNow()}>
              Check now
            </button>
          ) : null}
          {isFailed ? (
            <button
              type="button"
              class="primary"
              onClick={() => {
                isReturning.value = true
                void checkout.load()
              }}
            >
              Try again
            </button>
          ) : null}
          {(isFailed || phase.kind === 'unusable') && onCancel !== undefined ? (
            <button type="button" class="secondary" onClick={onCancel}>
              Cancel
            </button>
          ) : null}
        </div>
        <div class="aside">
          {details === undefined || price === undefined ? null : (
            <Summary session={details.session} terms={details.terms} price={price} />
          )}
        </div>
        {isForm && isCardOffered && details !== undefined ? (
          <TestCardList
            cards={details.terms.testCards}
            isDisabled={phase.kind === 'busy'}
            onChosen={(number) => {
              chosen.value = { kind: 'card' }
              card.value = filledCard(number, today())
            }}
          />
        ) : null}
      </div>
    </div>
  )
}

/** The customer's choice, while it is offered; initially the default method, a new card, or the first method offered. */
function currentChoice(chosen: Choice | undefined, { saved, terms }: Details): Choice | undefined {
  const isOffered = (type: string) => terms.methods.some((method) => method.type === type)
  if (chosen?.kind === 'card' && isOffered(CARD)) return chosen
  if (chosen?.kind === 'method' && isOffered(chosen.type)) return chosen
  if (chosen?.kind === 'saved' && saved.some(({ token }) => token === chosen.saved.token)) return chosen
  const preferred = saved.find((method) => method.default === true)
  if (preferred !== undefined) return { kind: 'saved', saved: preferred }
  if (isOffered(CARD)) return { kind: 'card' }
  const [first] = terms.methods
  return first === undefined ? undefined : { kind: 'method', type: first.type }
}

function paymentOf(phase: Phase): CheckoutPayment | undefined {
  if (phase.kind === 'pending') return phase.payment
  return phase.kind === 'ended' ? phase.result.payment : undefined
}

/** What the payment itself says, which may have been made elsewhere. */
function paidPrice(phase: Phase, { terms }: Details): Price | undefined {
  const amount = paymentOf(phase)?.amount
  if (amount === undefined) return undefined
  return { amount, surcharge: terms.showSurcharges ? amount - (terms.amount ?? 0) : undefined }
}

interface TestCardListProps {
  readonly cards: Terms['testCards']
  readonly isDisabled: boolean
  readonly onChosen: (number: string) => void
}

/** A button for each test card, named by its number, which fills the form. */
function TestCardList({ cards, isDisabled, onChosen }: TestCardListProps): JSX.Element | null {
  if (cards.length === 0) return null
  return (
    <section class="test-cards" aria-labelledby="test-cards-title">
      <h3 id="test-cards-title">Test cards</h3>
      <p class="hint">Choose one to fill the form.</p>
      <ul>
        {cards.map(({ number, title }) => (
          <li key={number}>
            <button
              type="button"
              class="test-card"
              disabled={isDisabled}
              aria-describedby={`test-card-${number}`}
              onClick={() => onChosen(number)}
            >
              <Grouped groups={groupDigits(number).split(' ')} />
            </button>
            <span id={`test-card-${number}`}>{title}</span>
          </li>
        ))}
      </ul>
    </section>
  )
}

interface SummaryProps {
  readonly session: Session
  readonly terms: Terms
  readonly price: Price
}

/** What the customer pays for, down to the total of the chosen method. */
function Summary({ session, terms, price }: SummaryProps): JSX.Element {
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
        {extraRows(order, terms.amount, price.surcharge).map(({ label, amount }, index) => (
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
