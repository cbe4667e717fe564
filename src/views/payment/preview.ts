import { ACTIONS } from '../../api/actions/actions.ts'
import type { MoneyAction } from '../../api/actions/actions.ts'
import type { Payment } from '../../api/models/payment.ts'
import { renderDetails } from '../../output/details.ts'
import { renderLiveModeWarning } from '../../output/live-mode-warning.ts'
import type { RenderOptions } from '../../output/view.ts'
import { formatMethod } from '../payment-method.ts'
import { deriveAmounts, describeNotAuthorized } from './amounts.ts'
import { ACTION_EFFECTS } from './action-effect.ts'
import { customerDetails } from './customer.ts'
import { addNote, formatAmount, formatField, joinParts } from '../format-fields.ts'
import { formatAge, formatTime } from '../format-time.ts'
import { paintStatus, paintStyle, styleOfSummary } from './status.ts'
import { describeRefundReason, newestFirst, refundsOf } from './refunds.ts'

export interface PaymentPreview {
  /** Undefined if it could not be read. */
  readonly payment: Payment | undefined
  readonly action: MoneyAction
  /** Minor units; undefined if omitted: the service then uses everything that is left. */
  readonly amountMinor?: number | undefined
  /** Of a capture; if omitted, the service treats the capture as final. */
  readonly final?: boolean | undefined
  readonly profileName: string
  readonly mode: 'test' | 'live'
  /** Where the write is recorded. */
  readonly ledger?: string
  /** For the age of earlier refunds. */
  readonly now: Date
}

const UNKNOWN = 'unknown'
const REMAINING_FOR = { leftToCapture: 'to capture', leftToRefund: 'to refund' } as const

/**
 * The preview before money moves. `facts` (profile, payment and its amounts) is shown before any prompt; `plan` (this
 * amount and what remains after it) before the confirmation.
 */
export function renderPaymentPreview(
  preview: PaymentPreview,
  options: RenderOptions,
): { readonly facts: string; readonly plan: string } {
  const { profileName, mode } = preview
  // Rendered together, so that the values of both parts align.
  const groups = previewDetails(preview, options).split('\n\n')
  const [facts, plan] = [groups.slice(0, -1).join('\n\n'), groups.at(-1) ?? '']
  return {
    facts:
      mode === 'live' ? `${renderLiveModeWarning(formatField(profileName), options)}\n\n${facts}` : facts,
    plan,
  }
}

function previewDetails(preview: PaymentPreview, { paint, width, timeZone }: RenderOptions): string {
  const { payment = {}, profileName, mode } = preview
  const figures = deriveAmounts(payment)
  // Without a figure of its own, an action changes what is left to capture.
  const left = ACTIONS[preview.action].left ?? 'leftToCapture'
  const plan = ACTION_EFFECTS[preview.action]({
    figures,
    status: payment.status,
    amountMinor: preview.amountMinor,
    final: preview.final,
  })
  const money = (amountMinor: number | undefined) =>
    formatAmount(amountMinor, payment.currencyCode) ?? UNKNOWN
  return renderDetails(
    { paint, width },
    [
      [
        'Profile',
        `${formatField(profileName)} (${mode === 'live' ? paint('LIVE: real money', 'warn') : 'test'})`,
      ],
      ['Ledger', formatField(preview.ledger)],
      ['Payment', formatField(payment.id) ?? UNKNOWN],
      ['Order', formatField(payment.orderId) ?? UNKNOWN],
      ...customerDetails(payment),
      ['Created', formatTime(payment.date, timeZone)],
      ['Status', paintStyle(styleOfSummary(payment), paint) ?? UNKNOWN],
      ['Method', formatMethod(payment.paymentMethod) ?? UNKNOWN],
    ],
    [
      [
        'Authorized',
        figures.authorized === undefined ? describeNotAuthorized(payment) : money(figures.authorized),
      ],
      ['Captured', money(figures.captured)],
      ['Refunded', money(figures.refunded)],
      [
        'Remaining',
        figures[left] !== undefined
          ? `${money(figures[left])} ${REMAINING_FOR[left]}`
          : payment.status === 'PENDING'
            ? 'nothing yet'
            : UNKNOWN,
      ],
    ],
    ...(preview.action === 'refund' ? [earlierRefunds(payment, preview.now, paint, timeZone)] : []),
    [
      [ACTIONS[preview.action].preview, paint(plan.describeAmount(money), 'strong')],
      ['Remaining after', plan.describeRemainder(money)],
    ],
  )
}

const MAX_REFUNDS = 5

/** The newest refunds, no matter who made them, so that none is made twice. */
function earlierRefunds(
  payment: Payment,
  now: Date,
  paint: RenderOptions['paint'],
  timeZone: RenderOptions['timeZone'],
): (readonly [string, string | undefined])[] {
  const refunds = newestFirst(refundsOf(payment))
  const more = refunds.length - MAX_REFUNDS
  return [
    ...refunds
      .slice(0, MAX_REFUNDS)
      .map((refund): readonly [string, string] => [
        'Earlier refund',
        joinParts([
          formatAmount(refund.amount, refund.currencyCode ?? payment.currencyCode) ?? 'unknown amount',
          paintStatus(refund.processorStatus, paint) ?? 'unknown state',
          addNote(formatAge(refund.date, now), formatTime(refund.date, timeZone)) ?? 'unknown time',
          describeRefundReason(refund),
        ]),
      ]),
    ['', more > 0 ? `and ${more} more` : undefined],
  ]
}
