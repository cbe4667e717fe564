import { payment } from '../../api/payment.ts'
import type { Payment } from '../../api/payment.ts'
import { readAs } from '../../api/plain-shape.ts'
import { formatMoney } from '../../money/format.ts'
import { figuresOf } from '../../views/payment-figures.ts'
import { shownWords } from '../../views/shown.ts'

/** What an answered payment asks of the reader: an action to take, a capture to do, money that was let go. */
export function nextActions(answer: unknown, pay: string): readonly string[] {
  const paid = read(answer)
  if (paid === undefined) return []
  if (paid.status === 'PENDING' && paid.requiredAction !== undefined) {
    const { name, description } = paid.requiredAction
    return [
      `Not authorized yet: ${(shownWords(description ?? name) ?? 'the customer has to act first').replace(/\.$/, '')}.`,
      `Next: let the customer finish it, then ${pay} payment resume ${idOf(paid)} --resume-token -`,
    ]
  }
  if (paid.status === 'DECLINED' || paid.status === 'FAILED')
    return [`Why, and whether to try again: ${pay} payment explain ${idOf(paid)}`]
  if (paid.status === 'AUTHORIZED') return [`Next: ${pay} payment capture ${idOf(paid)}`]
  return []
}

/** After a capture: what of the authorization was released. */
export function releasedRest(answer: unknown): readonly string[] {
  const paid = read(answer)
  if (paid === undefined || (paid.status !== 'SETTLED' && paid.status !== 'SETTLING')) return []
  const { authorized, captured } = figuresOf(paid)
  if (authorized === undefined || captured === undefined || captured >= authorized) return []
  const money = (amountMinor: number) => formatMoney(amountMinor, paid.currencyCode)
  return [
    `Captured ${money(captured)} of ${money(authorized)}: the other ${money(authorized - captured)} was released.`,
  ]
}

/** The id, where it is harmless in a shell line. */
const idOf = ({ id }: Payment): string => (id !== undefined && /^[\w.-]{1,64}$/.test(id) ? id : 'ID')

function read(answer: unknown): Payment | undefined {
  return readAs(payment, answer)
}
