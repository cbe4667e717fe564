import type { ComponentChild, ComponentChildren } from 'preact'
import { useSignal } from '@preact/signals'
import type { Payment } from '../../../api/models/payment.ts'
import { formatFreeText, joinParts } from '../../../views/format-fields.ts'
import { formatMethod } from '../../../views/payment-method.ts'
import { formatAmount } from '../../page/format.ts'
import { firstInWords } from '../../page/words.ts'
import { Amount } from '../parts/amount.tsx'
import { announce } from '../parts/announcement.tsx'
import { PageFrame } from '../parts/page-frame.tsx'

/** The name that a person would use for the customer. */
export function customerOf({ customer, customerId }: Payment): string | undefined {
  const name = joinParts([customer?.firstName, customer?.lastName], ' ')
  return formatFreeText(name === '' ? (customer?.emailAddress ?? customerId) : name)
}

/** `49.90 EUR from Ada Lovelace, Visa •••• 1111, order order-1042` */
export function describePayment(payment: Payment): string {
  const { amount, currencyCode, orderId, paymentMethod } = payment
  const customer = customerOf(payment)
  return joinParts([
    `${formatAmount(amount, currencyCode)}${customer === undefined ? '' : ` from ${customer}`}`,
    firstInWords(formatMethod(paymentMethod) ?? ''),
    orderId === undefined ? undefined : `order ${formatFreeText(orderId)}`,
  ])
}

interface PaymentFrameProps {
  readonly id: string
  readonly amount: number | undefined
  readonly currencyCode: string | undefined
  readonly status: ComponentChild
  readonly customer?: string | undefined
  readonly actions?: ComponentChildren
  readonly children: ComponentChildren
}

/** The page of a payment, whose heading says how much, from whom, and what became of it; then the ID. */
export const PaymentFrame = (props: PaymentFrameProps) => {
  const { id, amount, currencyCode, status, customer, actions, children } = props
  return (
    <PageFrame
      title={id}
      heading={
        <>
          <span class="payment-title">
            <Amount amount={amount} currencyCode={currencyCode} />{' '}
            {customer === undefined ? null : <span class="customer">from {customer} </span>}
            {status}
          </span>{' '}
          <code>{id}</code>
        </>
      }
      below={<CopyId id={id} />}
      actions={actions}
    >
      {children}
    </PageFrame>
  )
}

function CopyId({ id }: { readonly id: string }) {
  const isCopied = useSignal(false)
  const copy = async () => {
    try {
      // Over plain http from another machine, browsers provide no clipboard.
      await navigator.clipboard.writeText(id)
      isCopied.value = true
      announce('Copied.')
    } catch {
      announce("The browser didn't allow copying.")
    }
  }
  return (
    <button type="button" class="plain" onClick={() => void copy()}>
      Copy ID{isCopied.value ? <span aria-hidden="true"> ✓</span> : null}
    </button>
  )
}
